import './call-tags.css';
import { CloseButton, ColorSwatch, Group, Select, Text } from '@mantine/core';
import { Suspense, useRef } from 'react';
import { ProblemNotice } from '../problem-notice';
import { useShortcut } from '../shortcuts/use-shortcut';
import { useAttempt } from '../use-attempt';
import { callTagsTexts } from './texts/texts';
import { useCallTags, useTagChoices } from './use-call-tags';

/** The subjects of the call, which staff who see it can change. Nothing in a company without tags. */
export function CallTags({ callId }: { callId: string }) {
  return (
    // What surrounds them does not wait for their texts.
    <Suspense>
      <TagList callId={callId} />
    </Suspense>
  );
}

function TagList({ callId }: { callId: string }) {
  const labels = callTagsTexts.use();
  const attempt = useAttempt();
  const { data: choices = [] } = useTagChoices();
  const { tags, error, refetch, add, remove } = useCallTags(callId);
  const field = useRef<HTMLInputElement>(null);
  useShortcut({
    keys: 'g',
    label: labels.add,
    action: () => field.current?.focus(),
    isEnabled: choices.length > 0,
    onlyOpens: true,
  });
  const free = choices.filter(({ id }) => !tags.some((tag) => tag.id === id));
  if (choices.length === 0 && tags.length === 0 && !error) return null;
  return (
    <div>
      <ProblemNotice error={error} onRetry={refetch} />
      <Select
        ref={field}
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
