import { Clock } from '../../src/platform/clock/clock';

/** The real time plus an offset, which tests can advance. */
export class TestClock extends Clock {
  private offset = 0;

  override now(): Date {
    return new Date(Date.now() + this.offset);
  }

  /** Advances the clock. */
  advance(seconds: number): void {
    this.offset += seconds * 1000;
  }

  /** Returns to the real time. */
  reset(): void {
    this.offset = 0;
  }
}
