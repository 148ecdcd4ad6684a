/** The pause after which a key is meant for the page, and does not belong to what somebody types. */
export const QUIET_MS = 3000;

/**
 * Keeps typed letters from acting as shortcuts when their field disappears in the middle of a word: what is typed goes on.
 * Times are those of `performance.now()`.
 */
export class TypingGuard {
  private quietFrom = -Infinity;
  private lastKey = '';
  private isTypingOn = false;

  /** @returns what a shortcut on this key may do: open something, or also change something */
  press(key: string, at: number): { mayOpen: boolean; mayChange: boolean } {
    const isQuiet = at - this.quietFrom >= QUIET_MS;
    if (isQuiet) this.isTypingOn = false;
    const mayOpen = !this.isTypingOn;
    this.quietFrom = at;
    this.lastKey = key;
    return { mayOpen, mayChange: isQuiet };
  }

  /**
   * A field has been removed while it had the focus. By Escape its user has closed it, and by Enter, in a field of one line, sent
   * it: nothing more is typed.
   */
  removeField(at: number, isOneLine = false): void {
    this.quietFrom = at;
    this.isTypingOn = !(this.lastKey === 'Escape' || (isOneLine && this.lastKey === 'Enter'));
  }
}
