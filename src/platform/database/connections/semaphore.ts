/** No connection became free in time. HTTP answers it with 503. */
export class ConnectionLimitError extends Error {}

/**
 * Limits how many users have a place at the same time; further ones wait. A place that becomes free is given to the
 * owner who holds the fewest places, so that no owner can keep the others waiting. Users of one owner get places in the
 * order in which they came.
 */
export class Semaphore {
  waitTimeoutMs = 10_000;
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly held = new Map<string, number>();

  /**
   * @param freeCount the number of places
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
   * @param owner the tenant, for example; by default all users have the same
   * @returns a function that frees it; further calls of it do nothing
   * @throws ConnectionLimitError after waitTimeoutMs, or the signal's reason
   */
  async acquire(signal?: AbortSignal, waitTimeoutMs = this.waitTimeoutMs, owner = ''): Promise<() => void> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(owner);
    if (release) return release;
    await this.wait(signal, waitTimeoutMs, owner);
    return this.releaseOnce(owner);
  }

  /** As acquire, without waiting. @returns undefined if no place is free */
  tryAcquire(owner = ''): (() => void) | undefined {
    if (this.freeCount === 0) return undefined;
    this.freeCount--;
    this.take(owner);
    return this.releaseOnce(owner);
  }

  private releaseOnce(owner: string): () => void {
    let isHeld = true;
    return () => {
      if (isHeld) this.release(owner);
      isHeld = false;
    };
  }

  private take(owner: string): void {
    this.held.set(owner, this.heldBy(owner) + 1);
  }

  private heldBy(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  private wait(signal: AbortSignal | undefined, waitTimeoutMs: number, owner: string): Promise<void> {
    const waiting = this.waiting.get(owner) ?? new Set();
    this.waiting.set(owner, waiting);
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        waiting.delete(next);
        if (waiting.size === 0 && this.waiting.get(owner) === waiting) this.waiting.delete(owner);
      };
      const fail = (reason: unknown) => {
        stopWaiting();
        reject(reason);
      };
      const next = () => {
        stopWaiting();
        this.take(owner);
        resolve();
      };
      const onAbort = () => fail(signal?.reason);
      const timer = setTimeout(() => fail(new ConnectionLimitError(this.busyMessage)), waitTimeoutMs);
      signal?.addEventListener('abort', onAbort);
      waiting.add(next);
    });
  }

  private release(owner: string): void {
    const held = this.heldBy(owner) - 1;
    if (held > 0) this.held.set(owner, held);
    else this.held.delete(owner);
    const next = this.nextWaiting();
    if (next) next();
    else this.freeCount++;
  }

  private nextWaiting(): (() => void) | undefined {
    const owners = [...this.waiting.keys()];
    const fewest = Math.min(...owners.map((owner) => this.heldBy(owner)));
    const owner = owners.find((one) => this.heldBy(one) === fewest) ?? '';
    const waiting = this.waiting.get(owner);
    if (!waiting) return undefined;
    // Owners who hold equally many places take turns.
    this.waiting.delete(owner);
    this.waiting.set(owner, waiting);
    const [next] = waiting;
    return next;
  }
}

/**
 * Waits for a place of any of the semaphores; of several that have one free, the first is used.
 * @returns a function that frees the place
 * @throws ConnectionLimitError after waitTimeoutMs, or the signal's reason
 */
export async function acquireAny(
  semaphores: Semaphore[],
  waitTimeoutMs: number,
  owner?: string,
  signal?: AbortSignal,
): Promise<() => void> {
  // Waiting for a single semaphore never has to be ended early.
  const free = semaphores.length === 1 ? semaphores[0] : semaphores.find(({ hasFree }) => hasFree);
  if (free) return free.acquire(signal, waitTimeoutMs, owner);
  const end = new AbortController();
  const ended = signal ? AbortSignal.any([end.signal, signal]) : end.signal;
  const attempts = semaphores.map((semaphore) => semaphore.acquire(ended, waitTimeoutMs, owner));
  try {
    const first = await Promise.race(attempts);
    // Other semaphores may have given a place at the same moment, which is freed again.
    for (const attempt of attempts) attempt.then((release) => release !== first && release(), noop);
    return first;
  } finally {
    for (const attempt of attempts) attempt.catch(noop);
    end.abort();
  }
}

const noop = () => {};
