import { useEffect, useRef } from 'react';
// Its listener comes first: it has to know that a field went by Escape, and not while somebody typed.
import '../shortcuts/shortcuts';

/** What closes each open dialog; the topmost is last. */
const openDialogs: { close: () => void }[] = [];

/** Open lists and menus take the key themselves: those of Mantine, and fields with a list (ARIA combobox). */
const TAKES_KEYS = '[data-mantine-stop-propagation="true"], [aria-expanded="true"]';

/** Before the fields, as some of them stop the event. */
addEventListener('keydown', closeTopmost, { capture: true });

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  if (event.target instanceof Element && event.target.matches(TAKES_KEYS)) return;
  openDialogs.at(-1)?.close();
}

/**
 * Closes a dialog by Escape, unless another one is open above it. Each dialog of Mantine would listen for itself, so that
 * one key would close all of them, and what was typed in the lower ones would be lost.
 */
export function useEscape(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const dialog = { close: () => latest.current() };
    openDialogs.push(dialog);
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1);
    };
  }, [isOpen]);
}
