import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AgentCall } from '../../../state/agent-call';
import { useLanguage } from '../../../texts/language';
import { formatTime } from '../../../ui/dates';
import { LinkedText } from '../../../ui/linked-text';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';
import { ChatForm } from './chat-form';

/** @param isShown a list that is not shown cannot be scrolled */
export function ChatPanel({ call, isShown }: { call: AgentCall; isShown: boolean }) {
  const { chat } = callTexts.use();
  const language = useLanguage();
  const list = useRef<HTMLOListElement>(null);
  const messages = useSignalValue(call.messages);
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages.length, isShown]);
  return (
    <section className="call-chat" aria-label={chat.title}>
      {messages.length === 0 && (
        <Text size="sm" c="dimmed">
          {chat.empty}
        </Text>
      )}
      {/* Scrolled by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ol
        ref={list}
        aria-live="polite"
        aria-label={chat.messages}
        tabIndex={messages.length > 0 ? 0 : undefined}
      >
        {messages.map(({ id, from, text, at }) => (
          <li key={id} className={from} data-testid="chat-message">
            <span className="about">
              <strong>{from === 'agent' ? chat.you : chat.customer}</strong>{' '}
              <time dateTime={at}>{formatTime(at, language)}</time>
            </span>
            <LinkedText text={text} />
          </li>
        ))}
      </ol>
      <ChatForm call={call} />
    </section>
  );
}
