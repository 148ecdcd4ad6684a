import { useCommonTexts } from '../../texts/texts';
import { LatePart } from '../late/late-part';
import { useSignalValue } from '../use-signal-value';
import { isShortcutListOpen } from './shortcuts';
import { useShortcut } from './use-shortcut';

const load = () => import('./shortcut-dialog');

const close = () => {
  isShortcutListOpen.value = false;
};

/** What the keys do on this page, under the question mark and in the menu of the account. */
export function ShortcutList() {
  const { shortcuts: texts } = useCommonTexts();
  const isOpen = useSignalValue(isShortcutListOpen);
  useShortcut({
    keys: '?',
    label: texts.list,
    action: () => (isShortcutListOpen.value = true),
    onlyOpens: true,
  });
  return (
    <LatePart load={load} isNeeded={isOpen} onClose={close}>
      {(ShortcutDialog) => <ShortcutDialog />}
    </LatePart>
  );
}
