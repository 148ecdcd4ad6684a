/** How long a refused connection is kept open. */
const DELAY_MS = 4000;
/** Connections that are kept open; further ones are refused at once. */
const MAX_DELAYED = 1000;

/**
 * Refuses connections some seconds later, so that a client that connects again as soon as it is refused does so
 * 15 times a minute instead of thousands of times.
 */
export class DelayedRefusals {
  private delayed = 0;

  /** Calls `refuse` later, or at once if too many connections wait. */
  add(refuse: () => void): void {
    if (this.delayed >= MAX_DELAYED) return refuse();
    this.delayed++;
    setTimeout(() => {
      this.delayed--;
      refuse();
    }, DELAY_MS).unref();
  }
}
