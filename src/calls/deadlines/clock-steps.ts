/** The clock was set forward. */
interface ClockStep {
  /** What it showed before, in milliseconds. */
  from: number;
  to: number;
}

/** Smaller corrections of the clock shorten no deadline noticeably. */
const MIN_STEP_MS = 2000;

/**
 * Recognises that the clock of the host was set forward, by comparing it with the monotonic clock, and moves the deadlines that
 * it skipped: nothing is due only because the clock was set, or because the machine was suspended. A deadline after the
 * skipped time stays, because it may have been set since.
 */
export class ClockSteps {
  private last: { wallMs: number; monotonicMs: number } | undefined;
  private steps: ClockStep[] = [];

  /** Call it regularly. @returns by how much the clock was set forward since the last call, in milliseconds */
  observe(wallMs: number, monotonicMs: number): number {
    const { last } = this;
    this.last = { wallMs, monotonicMs };
    // Afterwards all deadlines that a step moved have passed, and before its end the clock was set back.
    this.steps = this.steps.filter(({ from, to }) => wallMs >= to && wallMs <= to + (to - from));
    const step = last ? wallMs - last.wallMs - (monotonicMs - last.monotonicMs) : 0;
    if (step < MIN_STEP_MS) return 0;
    this.steps.push({ from: wallMs - step, to: wallMs });
    return step;
  }

  /** When a deadline is due, in milliseconds. */
  dueAt(deadlineMs: number): number {
    return this.steps.reduce(
      (due, { from, to }) => (due > from && due <= to ? due + (to - from) : due),
      deadlineMs,
    );
  }
}
