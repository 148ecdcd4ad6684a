import { useLayoutEffect, useState, type RefObject } from 'react';
import { isField } from '../../../ui/shortcuts/shortcut.rules';

const BUSY = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';
const PAGE_TITLE = '.page-title';

/**
 * Moves the focus to what has just appeared, and back when it goes. Where somebody types or a dialog is open, it stays. What is
 * typed on when the field has gone must press no button: then the title of the page gets the focus.
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
      const { activeElement: last } = document;
      if (!last || !target?.contains(last)) return;
      const next = isField(last) ? document.querySelector(PAGE_TITLE) : before;
      if (next instanceof HTMLElement) next.focus();
    };
  }, [element]);
  return hasStayed;
}
