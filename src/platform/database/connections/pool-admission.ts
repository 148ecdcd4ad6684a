import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { requestContext } from '../../logging/request-context';
import { Semaphore } from './semaphore';

const WAIT_TIMEOUT_MS = 5000;
const BUSY = 'The service is busy.';

/**
 * Decides who gets a connection of the pool. A fifth of the connections is reserved for requests of calls in progress;
 * everything else shares the rest, first come, first served. With fewer than five connections none is reserved.
 */
@Injectable()
export class PoolAdmission {
  /**
   * Public requests fail early: under overload they would otherwise all wait, and be answered after their clients left.
   */
  protected readonly publicWaitMs: number = 1000;
  private readonly all: Semaphore;
  private readonly unreserved: Semaphore;

  constructor(@Inject(CONFIG) { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    this.all = new Semaphore(databasePoolSize, BUSY);
    this.unreserved = new Semaphore(databasePoolSize - Math.floor(databasePoolSize / 5), BUSY);
  }

  /**
   * Waits until the pool has a connection for the current request or background work: public requests for at most 1 s,
   * others for at most 5 s.
   * @returns a function to call when the connection is back in the pool
   * @throws ConnectionLimitError when none became free in time
   */
  async acquire(): Promise<() => void> {
    const kind = requestContext.getStore()?.connection;
    if (kind === 'reserved') return this.all.acquire(undefined, WAIT_TIMEOUT_MS);
    const deadline = performance.now() + (kind === 'public' ? this.publicWaitMs : WAIT_TIMEOUT_MS);
    const remaining = () => Math.max(0, deadline - performance.now());
    const releaseUnreserved = await this.unreserved.acquire(undefined, remaining());
    try {
      const release = await this.all.acquire(undefined, remaining());
      return () => {
        release();
        releaseUnreserved();
      };
    } catch (error) {
      releaseUnreserved();
      throw error;
    }
  }
}
