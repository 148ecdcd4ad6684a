import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ImportOffer } from '../../../ui/browser-replies/import-offer';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { callTexts } from '../texts/texts';
import { useReplies } from './use-reply-field';

/** The texts of the company to choose from, for notes. */
export function CannedMenu({ onInsert }: { onInsert: (text: string) => void }) {
  const { canned: labels } = callTexts.use();
  const replies = useReplies();
  const [wasOpened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useShortcut({ keys: 'x', label: labels.open, action: () => button.current?.click(), onlyOpens: true });
  return (
    <>
      <Menu position="bottom-end" width={280} onOpen={() => setOpened(true)}>
        <Menu.Target>
          <Button ref={button} variant="default" size="compact-sm" data-testid="canned-open">
            {labels.open}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="call-reply-menu">
          {replies.map(({ title, text }, position) => (
            <Menu.Item key={`${position} ${title}`} data-testid="canned-note" onClick={() => onInsert(text)}>
              {title}
            </Menu.Item>
          ))}
          {replies.length > 0 && <Menu.Divider />}
          <Menu.Item component={Link} to="/canned-replies" data-testid="canned-edit">
            {labels.edit}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {wasOpened && <ImportOffer />}
    </>
  );
}
