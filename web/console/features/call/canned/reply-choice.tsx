import { Popover, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { callTexts } from '../texts/texts';
import type { Reply } from './slash.rules';

interface ReplyChoiceProps {
  id: string;
  /** None while the list is closed. */
  replies: readonly Reply[];
  /** The position of the reply that Enter inserts. */
  active: number;
  onChoose: (reply: Reply) => void;
  /** The field, which keeps the focus. */
  children: ReactNode;
}

/** The list of texts over the field into which one of them is inserted. */
export function ReplyChoice({ id, replies, active, onChoose, children }: ReplyChoiceProps) {
  const { canned: labels } = callTexts.use();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <>
      <Popover
        opened={replies.length > 0}
        position="top-start"
        width="target"
        withRoles={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        returnFocus={false}
      >
        <Popover.Target>
          <div style={{ flex: 1 }}>{children}</div>
        </Popover.Target>
        <Popover.Dropdown p={4}>
          <ul ref={list} id={id} role="listbox" aria-label={labels.list} className="call-replies">
            {replies.map((reply, position) => (
              <li
                key={`${position} ${reply.title}`}
                id={`${id}-${position}`}
                role="option"
                aria-selected={position === active}
                data-testid="reply-option"
                // The field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(reply)}
              >
                <Text size="sm" fw={600} component="span">
                  {reply.title} {reply.shortcut && <span className="shortcut">/{reply.shortcut}</span>}
                </Text>
                <Text size="xs" lineClamp={2} component="span">
                  {reply.text}
                </Text>
              </li>
            ))}
          </ul>
        </Popover.Dropdown>
      </Popover>
      <VisuallyHidden role="status">{replies.length > 0 && labels.found(replies.length)}</VisuallyHidden>
    </>
  );
}
