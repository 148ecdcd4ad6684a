import { useLayoutEffect, useState, type RefObject } from 'react';

const BUSY = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/**
 * Moves the focus to what has just appeared, and back when it goes. Where somebody types or a dialog is open, it stays.
 * @returns whether it stayed, so that the news must be announced in another way
 */
export function usePoliteFocus(element: RefObject<HTMLElement | null>): boolean {
  const [hasStayed, setStayed] = useState(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const target = element.current;
    if (before?.closest(BUSY)) {
      setStayed(true);
    } else {
      target?.focus({ preventScroll: true });
    }
    return () => {
      if (target?.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
    };
  }, [element]);
  return hasStayed;
}
