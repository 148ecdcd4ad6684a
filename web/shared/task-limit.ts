/** Runs at most `max` tasks at a time, in the order in which they were added. A failed task stops no other. */
export class TaskLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly max: number) {}

  /** @returns what the task returns */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.max) this.running++;
    else await new Promise<void>((start) => this.waiting.push(start));
    try {
      return await task();
    } finally {
      const startNext = this.waiting.shift();
      if (startNext) startNext();
      else this.running--;
    }
  }
}
