import { readFileSync } from 'node:fs';

/** The share of the time for which a process must have had a processor, so that the time counts. */
const MIN_SHARE = 0.25;
/** After so many times the limit it counts anyway. */
const MAX_ROUNDS = 6;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Calls `end` when a process has had its time. A process of low priority gets next to none on a busy machine: then it has the same
 * time again, a few times.
 */
export class ProcessTimeout {
  /** The time that did not count so far. */
  idleMs = 0;
  private timer: NodeJS.Timeout;
  private rounds = 0;
  private usedBefore: number;

  constructor(
    private readonly pid: number,
    private readonly ms: number,
    private readonly end: () => void,
  ) {
    this.usedBefore = processorMs(pid);
    this.timer = setTimeout(() => this.check(), ms);
  }

  /** Begins again. */
  refresh(): void {
    this.rounds = 0;
    this.usedBefore = processorMs(this.pid);
    this.timer.refresh();
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  private check(): void {
    this.rounds += 1;
    const used = processorMs(this.pid) - this.usedBefore;
    if (used < this.ms * MIN_SHARE && this.rounds < MAX_ROUNDS) {
      this.idleMs += this.ms;
      this.timer.refresh();
    } else this.end();
  }
}

/** @returns the processor time that the process has had so far; NaN where the system has no /proc, or no such process */
function processorMs(pid: number): number {
  try {
    // The name of the process, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
