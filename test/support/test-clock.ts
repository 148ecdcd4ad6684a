import { Clock } from '../../src/platform/clock/clock';

/** The real time plus an offset, which tests can advance. */
export class TestClock extends Clock {
  private offset = 0;
  private stoppedAt: { time: number; elapsedMs: number } | undefined;

  override now(): Date {
    return new Date((this.stoppedAt?.time ?? Date.now()) + this.offset);
  }

  override elapsedMs(): number {
    return (this.stoppedAt?.elapsedMs ?? performance.now()) + this.offset;
  }

  /** Stops the clock until it is reset, for tests that must not depend on how long requests take. */
  stop(): void {
    this.stoppedAt = { time: Date.now(), elapsedMs: performance.now() };
  }

  /** Advances the clock. */
  advance(seconds: number): void {
    this.offset += seconds * 1000;
  }

  /** Returns to the real time. */
  reset(): void {
    this.offset = 0;
    this.stoppedAt = undefined;
  }
}
