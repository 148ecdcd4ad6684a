import { notifications } from '@mantine/notifications';
import {
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type SyntheticEvent,
} from 'react';
import { useCannedReplies } from '../../../state/use-canned-replies';
import { useLanguage } from '../../../texts/language';
import { useBrowserReplies } from '../../../ui/browser-replies/use-browser-replies';
import { formatNumber } from '../../../ui/numbers';
import { callTexts } from '../texts/texts';
import { insertText } from './insert-text';
import { matchingReplies, replaceSlash, slashBefore, type Reply, type Slash } from './slash.rules';

interface ReplyFieldProps {
  value: string;
  change: (value: string) => void;
  maxLength: number;
  /** Whether nothing can be typed now. */
  isReadOnly?: boolean;
  /** For keys that the list does not take. */
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/**
 * A field into which the company's texts are inserted: a slash at the beginning of a word opens their list, and what is typed
 * behind it searches them.
 * @returns `field` for the textarea, `choice` for `ReplyChoice` around it, `insert` for other ways to choose a text
 */
export function useReplyField({ value, change, maxLength, isReadOnly = false, onKeyDown }: ReplyFieldProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  /** Until the field is used, a text is added at the end. */
  const isUsed = useRef(false);
  const { canned: labels } = callTexts.use();
  const language = useLanguage();
  const [slash, setSlash] = useState<Slash | null>(null);
  const [active, setActive] = useState(0);
  /** The slash whose list was closed. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const listId = useId();
  const replies = useReplies();
  const found = slash && slash.start !== closedAt && !isReadOnly ? matchingReplies(replies, slash.query) : [];
  const isOpen = found.length > 0;
  const position = Math.min(active, found.length - 1);

  useLayoutEffect(() => {
    const { current } = caret;
    caret.current = null;
    if (current === null) return;
    ref.current?.focus();
    ref.current?.setSelectionRange(current, current);
  }, [value]);
  const put = (next: { text: string; position: number }) => {
    setSlash(null);
    if (next.text.length > maxLength) {
      const message = labels.tooLong(formatNumber(maxLength, language));
      notifications.show({ color: 'red', message, role: 'alert' });
      return;
    }
    caret.current = next.position;
    change(next.text);
  };
  const insert = (text: string) => {
    const { selectionStart: start, selectionEnd: end } = (isUsed.current && ref.current) || {
      selectionStart: value.length,
      selectionEnd: value.length,
    };
    put(insertText(value, { start, end }, text));
  };
  /** The text may have been changed by something else since the list was opened. */
  const choose = ({ text }: Reply) => {
    const current = slashBefore(value, ref.current?.selectionStart ?? value.length);
    if (current) put(replaceSlash(value, current, text));
    else insert(text);
  };
  const follow = ({ value: text, selectionStart: start, selectionEnd: end }: HTMLTextAreaElement) => {
    isUsed.current = true;
    const next = start === end ? slashBefore(text, start) : null;
    if (next?.start !== slash?.start || next?.query !== slash?.query) {
      setSlash(next);
      setActive(0);
    }
    if (!next) setClosedAt(null);
  };
  const keyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const reply = found[position];
    if (!reply || event.nativeEvent.isComposing) return onKeyDown?.(event);
    const step = STEPS[event.key];
    if (step !== undefined) setActive((position + step + found.length) % found.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) choose(reply);
    else if (event.key === 'Escape') setClosedAt(slash?.start ?? null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    insert,
    field: {
      ref,
      value,
      maxLength,
      readOnly: isReadOnly,
      onChange: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
        follow(currentTarget);
        change(currentTarget.value);
      },
      onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => follow(currentTarget),
      onKeyDown: keyDown,
      'aria-autocomplete': 'list' as const,
      ...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${position}` }),
    },
    choice: { id: listId, replies: found, active: position, onChoose: choose },
    close: () => setSlash(null),
  };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The texts of the company, and those that the user has kept in this browser. */
export function useReplies(): Reply[] {
  const { data } = useCannedReplies();
  const { replies: own } = useBrowserReplies();
  return useMemo(() => [...(data ?? []), ...own.map((reply) => ({ ...reply, shortcut: null }))], [data, own]);
}
