import { setTimeout as delay } from 'node:timers/promises';
import { TokenBucket } from '../../platform/rate-limit/token-bucket';

/**
 * Limits how often work runs: `burst` times at once, and `rate` times a second in the long run. Within the limit each
 * caller has a run of its own, without waiting. Beyond the limit callers wait for the next run and share its result.
 * This run begins after the last of them has called, so no caller gets an older result than by a run of its own.
 */
export class RateLimitedRun<Result> {
  private readonly bucket: TokenBucket;
  private next: Promise<Result> | undefined;

  constructor(
    private readonly rate: number,
    burst: number,
  ) {
    this.bucket = new TokenBucket(rate, burst);
  }

  run(work: () => Promise<Result>): Promise<Result> {
    if (!this.next && this.bucket.take()) return work();
    this.next ??= this.runLater(work);
    return this.next;
  }

  private async runLater(work: () => Promise<Result>): Promise<Result> {
    await delay(1000 / this.rate);
    // A timer may be a fraction of a millisecond early. Without its token, the next run would begin at once.
    while (!this.bucket.take()) await delay(1);
    this.next = undefined;
    return work();
  }
}
