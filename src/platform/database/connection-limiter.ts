import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';

/** No connection became free in time. HTTP answers it with 503. */
export class ConnectionLimitError extends Error {
  constructor() {
    super('Other large reads are in progress.');
  }
}

/**
 * Limits how many connections of the pool long reads of one kind hold at the same time: a fifth of them, at least
 * one, so that calls always find a connection. Further reads wait, first come, first served. Each module that
 * provides this class has its own limit.
 */
@Injectable()
export class ConnectionLimiter {
  waitTimeoutMs = 10_000;
  private freeCount: number;
  private readonly waiting = new Set<() => void>();

  constructor(@Inject(CONFIG) { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    this.freeCount = Math.max(1, Math.floor(databasePoolSize / 5));
  }

  /** Runs `work`, which may hold one connection, within the limit. @throws as `acquire` and `work` do */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Reserves one connection, for work that is not a single promise.
   * @returns a function that releases it; further calls of it do nothing
   * @throws ConnectionLimitError after waitTimeoutMs, or the signal's reason
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.freeCount > 0) this.freeCount--;
    else await this.wait(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  private wait(signal?: AbortSignal): Promise<void> {
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
      const timer = setTimeout(() => fail(new ConnectionLimitError()), this.waitTimeoutMs);
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
