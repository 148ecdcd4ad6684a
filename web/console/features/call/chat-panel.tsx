import { Button, Group, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { newSession } from '../../../shared/socket';
import type { AgentCall } from '../../state/agent-call';
import { useSignalValue } from '../../ui/use-signal-value';
import { callTexts } from './texts/texts';

export function ChatPanel({ call }: { call: AgentCall }) {
  const { chat } = callTexts.use();
  const list = useRef<HTMLOListElement>(null);
  const messages = useSignalValue(call.messages);
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages.length]);
  return (
    <section className="call-chat" aria-label={chat.title}>
      <ol ref={list} aria-live="polite">
        {messages.map(({ id, from, text }) => (
          <li key={id} className={from} data-testid="chat-message">
            <strong>{from === 'agent' ? chat.you : chat.customer}</strong> {text}
          </li>
        ))}
      </ol>
      <ChatForm call={call} />
    </section>
  );
}

/** A message that was not acknowledged stays in the field, and is sent again with the same id. */
function ChatForm({ call }: { call: AgentCall }) {
  const { chat } = callTexts.use();
  const [text, setText] = useState('');
  const [clientId, setClientId] = useState(newSession);
  const [hasFailed, setFailed] = useState(false);
  const send = async () => {
    try {
      await call.sendMessage(text.trim(), clientId);
      setText('');
      setClientId(newSession());
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) void send();
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label={chat.input}
          data-testid="chat-input"
          maxLength={2000}
          autoComplete="off"
          placeholder={chat.input}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" data-testid="chat-send">
          {chat.send}
        </Button>
      </Group>
      <Text role="alert" size="sm" c="red">
        {hasFailed && chat.failed}
      </Text>
    </form>
  );
}
