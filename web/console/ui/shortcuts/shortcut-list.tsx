import { lazy, Suspense } from 'react';
import { useCommonTexts } from '../../texts/texts';
import { useSignalValue } from '../use-signal-value';
import { isShortcutListOpen } from './shortcuts';
import { useShortcut } from './use-shortcut';

const ShortcutDialog = lazy(() => import('./shortcut-dialog'));

/** What the keys do on this page, under the question mark and in the menu of the account. */
export function ShortcutList() {
  const { shortcuts: texts } = useCommonTexts();
  const isOpen = useSignalValue(isShortcutListOpen);
  useShortcut({ keys: '?', label: texts.list, action: () => (isShortcutListOpen.value = true) });
  return <Suspense>{isOpen && <ShortcutDialog />}</Suspense>;
}
