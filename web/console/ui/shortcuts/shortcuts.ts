import { signal } from '@preact/signals-core';
import { matchesShortcut, takesKeys } from './shortcut.rules';

export interface Shortcut {
  /** See `matchesShortcut`. */
  keys: string;
  /** What it does, for the list of shortcuts. */
  label: string;
  action: () => void;
}

const STORAGE_KEY = 'vcq-console-shortcuts';
const OFF = 'off';

/** Those that work now, in the order in which they were added. */
export const shortcuts = signal<readonly Shortcut[]>([]);

export const isShortcutListOpen = signal(false);

/** Speech input can press keys by mistake, so all shortcuts can be switched off. */
export const areShortcutsOn = signal(localStorage.getItem(STORAGE_KEY) !== OFF);

export function switchShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, OFF);
  areShortcutsOn.value = isOn;
}

/** @returns removes it */
export function addShortcut(shortcut: Shortcut): () => void {
  shortcuts.value = [...shortcuts.peek(), shortcut];
  return () => {
    shortcuts.value = shortcuts.peek().filter((other) => other !== shortcut);
  };
}

/** Of two with the same keys the newer one acts. */
function onKeyDown(event: KeyboardEvent): void {
  if (!areShortcutsOn.peek() || event.repeat || event.isComposing || event.defaultPrevented) return;
  if (takesKeys(event.target instanceof Element ? event.target : null)) return;
  const shortcut = shortcuts.peek().findLast(({ keys }) => matchesShortcut(keys, event));
  if (!shortcut) return;
  event.preventDefault();
  shortcut.action();
}

addEventListener('keydown', onKeyDown);
