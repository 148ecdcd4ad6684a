import { Button, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { newSession } from '../../../../shared/socket';
import type { AgentCall } from '../../../state/agent-call';
import { CallStorage } from '../../../state/call-storage';
import { useSignalValue } from '../../../ui/use-signal-value';
import { ReplyChoice } from '../canned/reply-choice';
import { useReplyField } from '../canned/use-reply-field';
import { callTexts } from '../texts/texts';

const MAX_LENGTH = 2000;
const DRAFT = 'chat-draft';

/** A message that was not acknowledged stays in the field, and is sent again with the same id. */
export function ChatForm({ call }: { call: AgentCall }) {
  const { chat } = callTexts.use();
  // The field stays, so that what is typed on goes nowhere else.
  const hasEnded = useSignalValue(call.hasEnded);
  const [text, setText] = useState(() => new CallStorage(call.id).read(DRAFT) ?? '');
  const [clientId, setClientId] = useState(newSession);
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const change = (changed: string) => {
    setText(changed);
    new CallStorage(call.id).keep(DRAFT, changed);
  };
  const send = async () => {
    setBusy(true);
    try {
      await call.sendMessage(text.trim(), clientId);
      change('');
      setClientId(newSession());
      setFailed(false);
    } catch {
      setFailed(true);
    } finally {
      setBusy(false);
    }
  };
  const { field, choice, close } = useReplyField({
    value: text,
    change,
    maxLength: MAX_LENGTH,
    isReadOnly: isBusy || hasEnded,
    onKeyDown: (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && !isBusy && !hasEnded) void send();
      }}
    >
      <Group gap="xs" wrap="nowrap" align="end">
        <ReplyChoice {...choice}>
          <Textarea
            id="call-chat-input"
            aria-label={chat.input}
            data-testid="chat-input"
            autosize
            minRows={1}
            maxRows={5}
            autoComplete="off"
            placeholder={chat.hint}
            {...field}
            onBlur={close}
          />
        </ReplyChoice>
        <Button type="submit" data-testid="chat-send" disabled={hasEnded}>
          {chat.send}
        </Button>
      </Group>
      <Text role="alert" size="sm" c="red">
        {hasFailed && chat.failed}
      </Text>
    </form>
  );
}
