import { CloseButton, ColorSwatch, Group, Select, Text } from '@mantine/core';
import { useAttempt } from '../../../ui/use-attempt';
import { callTexts } from '../texts/texts';
import { useCallTags, useTagChoices } from './use-call-tags';

/** The subjects of the call. */
export function CallTags({ callId }: { callId: string }) {
  const { tags: labels } = callTexts.use();
  const attempt = useAttempt();
  const { data: choices = [] } = useTagChoices();
  const { tags, add, remove } = useCallTags(callId);
  const free = choices.filter(({ id }) => !tags.some((tag) => tag.id === id));
  // Without tags in the company there is nothing to choose.
  if (choices.length === 0 && tags.length === 0) return null;
  return (
    <div>
      <Select
        label={labels.title}
        placeholder={labels.add}
        data-testid="tag-add"
        size="sm"
        searchable
        nothingFoundMessage={labels.nothing}
        data={free.map(({ id, path }) => ({ value: id, label: path }))}
        value={null}
        onChange={(id) => id && attempt(() => add(id))}
      />
      {tags.length > 0 && (
        <Group gap={6} mt={6} component="ul" className="call-tags" aria-label={labels.title}>
          {tags.map(({ id, name, color }) => (
            <li key={id} data-testid="call-tag">
              <ColorSwatch color={color} size={12} withShadow={false} aria-hidden />
              <Text size="sm">{name}</Text>
              <CloseButton
                size="xs"
                aria-label={labels.remove(name)}
                onClick={() => attempt(() => remove(id))}
              />
            </li>
          ))}
        </Group>
      )}
    </div>
  );
}
