import { Text } from '@mantine/core';
import { CallTags } from '../../../ui/call-tags/call-tags';
import { Section } from '../section';
import { callsTexts } from '../texts/texts';
import type { Call } from '../use-call';

/** The tags of the call, the notes of its agent and the rating of the customer. */
export function TagsAndNotes({ call }: { call: Call }) {
  const { notes, rating } = callsTexts.use();
  return (
    <>
      <Section title={notes.title}>
        <CallTags callId={call.id} />
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
