import { Button, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { useConsole } from '../../../state/console-context';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { callTexts } from '../texts/texts';
import { CannedDialog } from './canned-dialog';
import { cannedNotes } from './canned-notes';

/** The agent's own texts for notes, and their editor. */
export function CannedMenu({ onInsert }: { onInsert: (text: string) => void }) {
  const { canned: labels } = callTexts.use();
  const { userId } = useConsole();
  const [notes, setNotes] = useState(() => cannedNotes.read(userId));
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useShortcut({ keys: 'x', label: labels.open, action: () => button.current?.click(), onlyOpens: true });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button ref={button} variant="default" size="compact-sm" data-testid="canned-open">
            {labels.open}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {notes.map(({ title, text }, position) => (
            <Menu.Item key={`${position} ${title}`} data-testid="canned-note" onClick={() => onInsert(text)}>
              {title}
            </Menu.Item>
          ))}
          {notes.length > 0 && <Menu.Divider />}
          <Menu.Item data-testid="canned-edit" onClick={() => setEditing(true)}>
            {labels.edit}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing && (
        <CannedDialog
          notes={notes}
          onClose={() => setEditing(false)}
          onSave={(changed) => {
            cannedNotes.keep(userId, changed);
            setNotes(changed);
            setEditing(false);
          }}
        />
      )}
    </>
  );
}
