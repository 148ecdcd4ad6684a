type Start = () => Promise<void>;

/**
 * Runs work of many keys, at most `concurrency` at a time and one per key. The keys take turns, so one with much work
 * does not delay the others.
 */
export class FairQueue {
  /** By key; the key whose turn is next comes first. */
  private readonly waiting = new Map<string, Start[]>();
  private readonly running = new Set<string>();
  private readonly paused = new Map<string, NodeJS.Timeout>();

  constructor(private readonly concurrency: number) {}

  /** Calls `work` when it is the key's turn. @returns the result of `work` */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const start = () => work().then(resolve, reject);
    const others = this.waiting.get(key);
    if (others) others.push(start);
    else this.waiting.set(key, [start]);
    this.startNext();
    return promise;
  }

  /** Starts no further work of the key for `ms`. */
  pause(key: string, ms: number): void {
    clearTimeout(this.paused.get(key));
    const resume = () => {
      this.paused.delete(key);
      this.startNext();
    };
    this.paused.set(key, setTimeout(resume, ms).unref());
  }

  isPaused(key: string): boolean {
    return this.paused.has(key);
  }

  private startNext(): void {
    if (this.running.size >= this.concurrency) return;
    for (const [key, works] of this.waiting) {
      if (this.running.has(key) || this.paused.has(key)) continue;
      const start = works.shift();
      if (works.length === 0) this.waiting.delete(key);
      if (!start) continue;
      this.running.add(key);
      void start().finally(() => this.end(key));
      return;
    }
  }

  private end(key: string): void {
    this.running.delete(key);
    const works = this.waiting.get(key);
    if (works) {
      // Added again, so that the other keys come first.
      this.waiting.delete(key);
      this.waiting.set(key, works);
    }
    this.startNext();
  }
}
