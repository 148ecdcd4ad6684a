import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { ApiError } from '../http/errors/api-error';

const busy = () =>
  new ApiError(503, 'unavailable', 'Other large reads are under way. Try again in a moment.');

/**
 * The part of the connection pool that long reads of a kind may hold at once: a fifth, at least one, so that calls always
 * find a connection. Whoever comes when all places are taken waits in line. Each module that provides it has its own.
 */
@Injectable()
export class ConnectionLimiter {
  /** Milliseconds that somebody waits in line at most. */
  patience = 10_000;
  private free: number;
  /** Those who wait, first come first. */
  private readonly line = new Set<() => void>();

  constructor(@Inject(CONFIG) { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    this.free = Math.max(1, Math.floor(databasePoolSize / 5));
  }

  /** Does `work`, which may hold one connection, in a place of its own. @throws as `take` and `work` do */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const giveBack = await this.take(signal);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /**
   * Takes a place, for work that is no single promise.
   * @returns what gives it back; a second call does nothing
   * @throws 503 when none was to be had in time, or the signal's reason, which also ends the waiting
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.free > 0) this.free--;
    else await this.waitInLine(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.passOn();
      isHeld = false;
    };
  }

  private waitInLine(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.line.delete(next);
      };
      const giveUp = (reason: unknown) => {
        leave();
        reject(reason);
      };
      const next = () => {
        leave();
        resolve();
      };
      const onAbort = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(busy()), this.patience);
      signal?.addEventListener('abort', onAbort);
      this.line.add(next);
    });
  }

  private passOn(): void {
    const [next] = this.line;
    if (next) next();
    else this.free++;
  }
}
