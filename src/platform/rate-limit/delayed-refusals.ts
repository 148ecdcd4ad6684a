/** Refusals that wait at the same time; further ones are not delayed. */
const MAX_DELAYED = 1000;

/**
 * Refuses something later, so that a client that tries again as soon as it is refused does so some times a minute instead of
 * thousands of times.
 */
export class DelayedRefusals {
  private delayed = 0;

  constructor(private readonly delayMs: number) {}

  /** Calls `refuse` later, or at once if too many refusals wait. */
  add(refuse: () => void): void {
    if (this.delayed >= MAX_DELAYED) return refuse();
    this.delayed++;
    setTimeout(() => {
      this.delayed--;
      refuse();
    }, this.delayMs).unref();
  }
}
