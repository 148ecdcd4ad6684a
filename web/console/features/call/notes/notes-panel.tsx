import { Group, Text, Textarea } from '@mantine/core';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import { useConsole } from '../../../state/console-context';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';
import { CannedMenu } from '../canned/canned-menu';
import { ReplyChoice } from '../canned/reply-choice';
import { useReplyField } from '../canned/use-reply-field';
import { notesDraftOf, resumeUnsavedNotes } from './notes-drafts';

const MAX_LENGTH = 10_000;
const FIELD_ID = 'call-notes';

interface NotesPanelProps {
  callId: string;
  /** What the service has. */
  notes: string;
}

/** The notes of a call, saved while they are typed. */
export function NotesPanel({ callId, notes }: NotesPanelProps) {
  const { notes: labels } = callTexts.use();
  const state = useConsole();
  // Later texts of the service are followed below.
  // oxlint-disable-next-line react/exhaustive-deps
  const draft = useMemo(() => notesDraftOf(state, callId, notes), [state, callId]);
  useLayoutEffect(() => draft.follow(notes), [draft, notes]);
  const text = useSignalValue(draft.text);
  const status = useSignalValue(draft.status);
  useEffect(() => resumeUnsavedNotes(state), [state]);
  const { field, choice, insert, close } = useReplyField({
    value: text,
    change: (changed) => draft.change(changed),
    maxLength: MAX_LENGTH,
  });
  const { ref } = field;
  useShortcut({ keys: 'n', label: labels.focus, action: () => ref.current?.focus(), onlyOpens: true });
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text component="label" size="sm" fw={600} htmlFor={FIELD_ID}>
          {labels.title}
        </Text>
        <CannedMenu onInsert={insert} />
      </Group>
      <ReplyChoice {...choice}>
        <Textarea
          id={FIELD_ID}
          data-testid="notes"
          rows={5}
          resize="vertical"
          {...field}
          onBlur={() => {
            close();
            void draft.flush();
          }}
        />
      </ReplyChoice>
      <Text
        role="status"
        size="xs"
        mih="1.2rem"
        c={status === 'failed' || status === 'refused' ? 'red' : 'dimmed'}
        data-testid="notes-status"
        data-status={status}
      >
        {status !== 'idle' && labels.status[status]}
      </Text>
    </div>
  );
}
