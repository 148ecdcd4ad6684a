import { useApp, useCallTexts, useTexts } from '../app/app-context';
import { isKeyOf, refusalText } from '../format/error-text';
import type { ChatEntry } from '../service/chat-log';
import { LinkedText } from '../ui/linked-text';
import { CallIcon } from './call-icon';

interface ChatLineProps {
  entry: ChatEntry;
  /** The agent's. */
  name: string;
  onRetry: () => void;
}

/** One message, and whether it has been sent. */
export function ChatLine({ entry, name, onRetry }: ChatLineProps) {
  const { language } = useApp();
  const texts = useTexts();
  const { chat } = useCallTexts();
  const { errors } = texts;
  const { refusal = '' } = entry;
  const isOwn = entry.from === 'customer';
  const time = new Intl.DateTimeFormat(language.value, { hour: 'numeric', minute: '2-digit' });
  return (
    <li class={`chat-line ${isOwn ? 'chat-own' : ''}`} data-testid="chat-message">
      <span class="visually-hidden">{isOwn ? chat.me : chat.from(name)}</span>
      <p class="chat-text">
        {entry.file ? (
          <>
            <CallIcon name="attach" /> {entry.file.filename}
          </>
        ) : (
          <LinkedText text={entry.text} />
        )}
      </p>
      <p class="chat-meta" role="status">
        {entry.delivery === 'sent' && <time dateTime={entry.at}>{time.format(new Date(entry.at))}</time>}
        {(entry.delivery === 'sending' || entry.delivery === 'unsent') && chat.sending}
        {entry.delivery === 'failed' && (
          <>
            {chat.failed} {isKeyOf(errors, refusal) && refusalText({ code: refusal }, texts)}{' '}
            {refusal !== 'chat_full' && (
              <button class="button-link" type="button" onClick={onRetry}>
                {chat.retry}
              </button>
            )}
          </>
        )}
      </p>
    </li>
  );
}
