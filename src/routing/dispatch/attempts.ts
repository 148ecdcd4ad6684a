import { setTimeout as pause } from 'node:timers/promises';

/** What another transaction has locked is tried again after this time, so that nothing behind it passes it. */
const RETRY_MS = 15;
const MAX_ATTEMPTS = 4;

/** The calls and agents that one run does not try again. */
export class Attempts {
  private readonly counts = new Map<string, number>();

  /** Counts an attempt that failed, and waits before the next one. @param id of a call or an agent */
  async failed(id: string): Promise<void> {
    const count = (this.counts.get(id) ?? 0) + 1;
    this.counts.set(id, count);
    if (count < MAX_ATTEMPTS) await pause(RETRY_MS);
  }

  isGivenUp(id: string): boolean {
    return (this.counts.get(id) ?? 0) >= MAX_ATTEMPTS;
  }

  /** The ids that are given up. */
  get givenUp(): string[] {
    return [...this.counts.keys()].filter((id) => this.isGivenUp(id));
  }
}
