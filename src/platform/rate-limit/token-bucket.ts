/** Allows `rate` actions a second in the long run, and up to `burst` at once after a pause. Times are in milliseconds. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly rate: number,
    private readonly burst: number,
    now = performance.now(),
  ) {
    this.tokens = burst;
    this.filledAt = now;
  }

  /**
   * @param weight how many actions this one counts as; one that counts as more than `burst` needs a full bucket
   * @returns false if the action is over the limit
   */
  take(now = performance.now(), weight = 1): boolean {
    const tokens = Math.min(weight, this.burst);
    this.fill(now);
    if (this.tokens < tokens) return false;
    this.tokens -= tokens;
    return true;
  }

  /** Counts an action that has been done, by which up to another `burst` may be owed. */
  charge(now: number, weight: number): void {
    this.fill(now);
    this.tokens = Math.max(-this.burst, this.tokens - weight);
  }

  /** @returns milliseconds until an action of this weight is within the limit; 0 if it is */
  delayMs(now: number, weight: number): number {
    this.fill(now);
    return Math.max(0, ((Math.min(weight, this.burst) - this.tokens) / this.rate) * 1000);
  }

  private fill(now: number): void {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.filledAt) / 1000) * this.rate);
    this.filledAt = now;
  }
}
