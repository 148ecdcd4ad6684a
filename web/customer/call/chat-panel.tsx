import { useEffect, useRef } from 'preact/hooks';
import { useCallTexts } from '../app/app-context';
import type { ChatLog } from '../service/chat-log';
import { onEscape } from '../ui/on-escape';
import { CallIcon } from './call-icon';
import { ChatLine } from './chat-line';
import { FileButton } from './files/file-button';
import { useSendFile } from './files/use-send-file';

interface ChatPanelProps {
  chat: ChatLog;
  name: string;
  onClose: () => void;
}

/** The conversation in writing. */
export function ChatPanel({ chat, name, onClose }: ChatPanelProps) {
  const texts = useCallTexts().chat;
  const entries = chat.entries.value;
  const list = useRef<HTMLOListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => list.current?.lastElementChild?.scrollIntoView({ block: 'end' }), [entries.length]);
  const { sending, unsent, send: sendFiles } = useSendFile();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim();
    if (!input.current || !text) return;
    input.current.value = '';
    void chat.write(text);
  };
  return (
    <section class="chat" aria-labelledby="chat-title" onKeyDown={onEscape(onClose)}>
      <header class="chat-head">
        <h2 id="chat-title">{texts.title}</h2>
        <button class="control control-small" type="button" aria-label={texts.close} onClick={onClose}>
          <CallIcon name="close" />
        </button>
      </header>
      <ol class="chat-list" ref={list} aria-live="polite" tabIndex={0} aria-label={texts.title}>
        {entries.length === 0 && <li class="chat-empty">{texts.empty}</li>}
        {entries.map((entry) => (
          <ChatLine
            key={entry.client_id ?? entry.id}
            entry={entry}
            name={name}
            onRetry={() => void chat.write(entry.text, entry.id)}
          />
        ))}
      </ol>
      <div class="chat-upload" role="status" data-testid="chat-file-status">
        {unsent.map(({ name: file, problem }, index) => (
          <p key={index}>
            {file}: {texts.fileProblems[problem]}
          </p>
        ))}
        {sending !== null && <p>{texts.sendingFile(sending)}</p>}
      </div>
      <form class="chat-form" onSubmit={send}>
        <FileButton isBusy={sending !== null} onFiles={(files) => void sendFiles(files)} />
        <label class="visually-hidden" for="chat-input">
          {texts.input}
        </label>
        <input
          id="chat-input"
          data-testid="chat-input"
          ref={input}
          maxLength={2000}
          placeholder={texts.input}
          autocomplete="off"
          enterKeyHint="send"
        />
        <button class="control control-active" type="submit" data-testid="chat-send" aria-label={texts.send}>
          <CallIcon name="send" />
        </button>
      </form>
    </section>
  );
}
