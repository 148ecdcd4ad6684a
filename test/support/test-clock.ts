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

  /** Stops the clock until it is resumed or reset, for tests that must not depend on how long requests take. */
  stop(): void {
    this.stoppedAt = { time: Date.now(), elapsedMs: performance.now() };
  }

  /** Lets the clock run again from the real time, by what it was advanced: it is never set back. */
  resume(): void {
    this.stoppedAt = undefined;
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
