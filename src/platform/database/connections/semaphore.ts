/** No connection became free in time. HTTP answers it with 503. */
export class ConnectionLimitError extends Error {}

/** Limits how many users of something there are at the same time. Further ones wait, first come, first served. */
export class Semaphore {
  waitTimeoutMs = 10_000;
  private readonly waiting = new Set<() => void>();

  /**
   * @param freeCount how many can use it at the same time
   * @param busyMessage of the error when none becomes free
   */
  constructor(
    private freeCount: number,
    private readonly busyMessage: string,
  ) {}

  /** Whether a place is free right now. */
  get hasFree(): boolean {
    return this.freeCount > 0;
  }

  /** Runs `work` within the limit. @throws as `acquire` and `work` do */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a place, for work that is not a single promise.
   * @returns a function that frees it; further calls of it do nothing
   * @throws ConnectionLimitError after waitTimeoutMs, or the signal's reason
   */
  async acquire(signal?: AbortSignal, waitTimeoutMs = this.waitTimeoutMs): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.freeCount > 0) this.freeCount--;
    else await this.wait(signal, waitTimeoutMs);
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  private wait(signal: AbortSignal | undefined, waitTimeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.waiting.delete(next);
      };
      const fail = (reason: unknown) => {
        stopWaiting();
        reject(reason);
      };
      const next = () => {
        stopWaiting();
        resolve();
      };
      const onAbort = () => fail(signal?.reason);
      const timer = setTimeout(() => fail(new ConnectionLimitError(this.busyMessage)), waitTimeoutMs);
      signal?.addEventListener('abort', onAbort);
      this.waiting.add(next);
    });
  }

  private release(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.freeCount++;
  }
}
