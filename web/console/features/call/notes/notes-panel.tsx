import { Group, Text, Textarea } from '@mantine/core';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useConsole } from '../../../state/console-context';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';
import { CannedMenu } from './canned-menu';
import { insertText, type TextSelection } from './insert-text';
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
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  /** Null until the field is used: a text is added at the end. */
  const selection = useRef<TextSelection | null>(null);
  // Later texts of the service are followed below.
  // oxlint-disable-next-line react/exhaustive-deps
  const draft = useMemo(() => notesDraftOf(state, callId, notes), [state, callId]);
  useLayoutEffect(() => draft.follow(notes), [draft, notes]);
  const text = useSignalValue(draft.text);
  const status = useSignalValue(draft.status);
  useEffect(() => resumeUnsavedNotes(state), [state]);
  useShortcut({ keys: 'n', label: labels.focus, action: () => field.current?.focus(), onlyOpens: true });
  useLayoutEffect(() => {
    const { current: position } = caret;
    caret.current = null;
    if (position === null) return;
    field.current?.focus();
    field.current?.setSelectionRange(position, position);
  }, [text]);
  const insert = (insertion: string) => {
    const inserted = insertText(
      text,
      selection.current ?? { start: text.length, end: text.length },
      insertion,
    );
    if (inserted.text.length > MAX_LENGTH) return;
    caret.current = inserted.position;
    draft.change(inserted.text);
  };
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text component="label" size="sm" fw={600} htmlFor={FIELD_ID}>
          {labels.title}
        </Text>
        <CannedMenu onInsert={insert} />
      </Group>
      <Textarea
        id={FIELD_ID}
        ref={field}
        data-testid="notes"
        rows={5}
        resize="vertical"
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => draft.change(event.currentTarget.value)}
        onSelect={({ currentTarget: { selectionStart: start, selectionEnd: end } }) => {
          selection.current = { start, end };
        }}
        onBlur={() => void draft.flush()}
      />
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
