/** What is read of a `KeyboardEvent`. */
export interface PressedKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

const SHIFT = 'shift+';
const LETTER = /^\p{L}$/u;
const TYPING = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** What is open over the page has its own keys. */
const OVER_THE_PAGE = '[role="dialog"], [role="menu"], [role="listbox"]';

/**
 * @param keys a value of `KeyboardEvent.key`, for example `a` or `?`, or a letter with `shift+`. Other modifier keys
 *   belong to the browser.
 */
export function matchesShortcut(keys: string, pressed: PressedKey): boolean {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return false;
  const isShifted = keys.startsWith(SHIFT);
  const key = (isShifted ? keys.slice(SHIFT.length) : keys).toLowerCase();
  if (key !== pressed.key.toLowerCase()) return false;
  // Whether a sign such as ? needs Shift depends on the keyboard.
  return LETTER.test(key) || isShifted ? pressed.shiftKey === isShifted : true;
}

export const isField = (element: Pick<Element, 'matches'>): boolean => element.matches(TYPING);

/** Whether a key that is pressed at this element belongs to it. */
export function takesKeys(element: Pick<Element, 'closest'> | null): boolean {
  return Boolean(element?.closest(`${TYPING}, ${OVER_THE_PAGE}`));
}
