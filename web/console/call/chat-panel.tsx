import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { newSession } from '../../shared/socket';
import { texts } from '../texts/language';
import type { AgentCall } from './agent-call';

export function ChatPanel({ call }: { call: AgentCall }) {
  const { chat } = texts.value;
  const list = useRef<HTMLOListElement>(null);
  const messages = call.messages.value;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages.length]);
  return (
    <section class="chat" aria-label={chat.title}>
      <h3>{chat.title}</h3>
      <ol ref={list} aria-live="polite">
        {messages.map(({ id, from, text }) => (
          <li key={id} class={from} data-testid="chat-message">
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
  const { chat } = texts.value;
  const text = useSignal('');
  const clientId = useSignal(newSession());
  const hasFailed = useSignal(false);
  const send = async () => {
    try {
      await call.sendMessage(text.value.trim(), clientId.value);
      text.value = '';
      clientId.value = newSession();
      hasFailed.value = false;
    } catch {
      hasFailed.value = true;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value.trim()) void send();
      }}
    >
      <label class="field">
        <span class="hidden">{chat.input}</span>
        <input
          data-testid="chat-input"
          maxLength={2000}
          autocomplete="off"
          placeholder={chat.input}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit" data-testid="chat-send">
        {chat.send}
      </button>
      <p role="alert">{hasFailed.value && chat.failed}</p>
    </form>
  );
}
