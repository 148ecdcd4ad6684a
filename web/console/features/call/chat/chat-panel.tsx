import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { AgentCall } from '../../../state/agent-call';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatTime } from '../../../ui/dates';
import { FilePreview } from '../../../ui/files/file-preview';
import { LinkedText } from '../../../ui/linked-text';
import { useSignalValue } from '../../../ui/use-signal-value';
import { filesKey } from '../files/use-uploads';
import { callTexts } from '../texts/texts';
import { ChatForm } from './chat-form';

/** @param isShown a list that is not shown cannot be scrolled */
export function ChatPanel({ call, isShown }: { call: AgentCall; isShown: boolean }) {
  const { chat, files } = callTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const list = useRef<HTMLOListElement>(null);
  const messages = useSignalValue(call.messages);
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages.length, isShown]);
  // What the customer sends is a file of the call, too.
  const queries = useQueryClient();
  const fileCount = messages.filter(({ file }) => file).length;
  useEffect(() => {
    if (fileCount > 0) void queries.invalidateQueries({ queryKey: filesKey(call.id) });
  }, [fileCount, call.id, queries]);
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
        {messages.map(({ id, from, text, at, file }) => (
          <li key={id} className={from} data-testid="chat-message">
            <span className="about">
              <strong>{from === 'agent' ? chat.you : chat.customer}</strong>{' '}
              <time dateTime={at}>{formatTime(at, language, zone)}</time>
            </span>
            {file ? (
              <FilePreview file={file} label={files.download(file.filename)} />
            ) : (
              <LinkedText text={text} />
            )}
          </li>
        ))}
      </ol>
      <ChatForm call={call} />
    </section>
  );
}
