/** Runs at most `maxRunning` tasks at a time; further ones wait in their order. */
export class TaskQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** Whether a further task would exceed the number of waiting tasks. */
  get isFull(): boolean {
    return this.waiting.length >= this.maxWaiting;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      // A waiting task takes over the place of this one.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
