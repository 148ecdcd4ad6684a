import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Several scrapers, or one that tries again, see a delay of the last seconds all the same. */
const MIN_PERIOD_MS = 10_000;
const RESOLUTION_MS = 10;

/** Measures how late timers are. */
export class EventLoopDelay {
  private readonly histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private periodStart = performance.now();
  private longestBefore = 0;

  constructor() {
    this.histogram.enable();
  }

  stop(): void {
    this.histogram.disable();
  }

  /** The longest delay since the last call that is at least 10 s ago, and in the period before that call. */
  longestSeconds(): number {
    const longest = Math.max(0, this.histogram.max / 1e9 - RESOLUTION_MS / 1000);
    const seconds = Math.max(longest, this.longestBefore);
    if (performance.now() - this.periodStart >= MIN_PERIOD_MS) {
      this.periodStart = performance.now();
      this.longestBefore = longest;
      this.histogram.reset();
    }
    return seconds;
  }
}
