import { ColorSwatch, Group, Text } from '@mantine/core';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';
import type { Call } from '../use-call';

/** The tags of the call, the notes of its agent and the rating of the customer. */
export function TagsAndNotes({ call }: { call: Call }) {
  const { notes, rating } = callsTexts.use();
  return (
    <>
      <Section title={notes.title}>
        {call.tags.length === 0 && <Text>{notes.noTags}</Text>}
        <Group gap="md">
          {call.tags.map(({ id, name, color }) => (
            <Group key={id} gap={6} wrap="nowrap">
              <ColorSwatch color={color} size={12} withShadow={false} />
              {name}
            </Group>
          ))}
        </Group>
        <Text fw={600}>{notes.agent}</Text>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{call.notes ?? notes.none}</Text>
      </Section>
      <Section title={rating.title}>
        <Text>{call.rating === null ? rating.none : rating.stars(call.rating)}</Text>
        {call.rating_comment && <Text fs="italic">“{call.rating_comment}”</Text>}
      </Section>
    </>
  );
}
