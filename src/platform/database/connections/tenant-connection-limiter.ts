import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { LargeReadBudget } from './large-read-budget';
import { ConnectionLimitError, Semaphore } from './semaphore';

const BUSY = 'Other large reads of the company are in progress.';

/** The connections of the pool that large reads of one kind may hold: calls always find another one. */
export const largeReadPlaces = ({ databasePoolSize }: Pick<Config, 'databasePoolSize'>): number =>
  Math.max(1, Math.floor(databasePoolSize / 5));

/**
 * Limits the large reads of one kind: they hold a fifth of the connections, and those of one tenant one of them. The tenants take
 * turns, so the reads of one delay those of another by one read at most. A tenant that has exceeded its budget of large reads
 * waits until the budget allows another read; all limiters share the budget. Each module that provides this class has a limit
 * of its own. Work that holds a connection must not wait for another one of the same limiter.
 */
@Injectable()
export class TenantConnectionLimiter {
  /** How long a read waits, for everything together. */
  waitTimeoutMs = 10_000;
  /** While it waits for its budget, a tenant keeps its turn, and the connections are left to others. */
  private readonly turns = new Semaphore({ places: Infinity, perOwner: 1, busyMessage: BUSY });
  private readonly places: Semaphore;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'databasePoolSize'>,
    private readonly budget: LargeReadBudget,
  ) {
    this.places = new Semaphore({
      places: largeReadPlaces(config),
      busyMessage: 'Other large reads are in progress.',
    });
  }

  /** Runs `work` within the limit. @throws as `acquire` and `work` do */
  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(tenantId);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for the tenant's turn, its budget and a connection.
   * @returns a function that frees them; further calls of it do nothing
   * @throws ConnectionLimitError when that takes too long; the signal's reason
   */
  async acquire(tenantId: string, signal?: AbortSignal): Promise<() => void> {
    const deadline = performance.now() + this.waitTimeoutMs;
    const remaining = () => Math.max(0, deadline - performance.now());
    const endTurn = await this.turns.acquire({ owner: tenantId, waitMs: remaining(), signal });
    try {
      await this.waitForBudget(tenantId, deadline, signal);
      const release = await this.places.acquire({ owner: tenantId, waitMs: remaining(), signal });
      const charge = this.budget.begin(tenantId);
      let isHeld = true;
      return () => {
        if (isHeld) charge();
        isHeld = false;
        release();
        endTurn();
      };
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Whether the tenant has to wait before another large read may begin. */
  mustWait(tenantId: string): boolean {
    return this.budget.delayMs(tenantId) > 0;
  }

  private async waitForBudget(tenantId: string, deadline: number, signal?: AbortSignal): Promise<void> {
    // Reads of other kinds may be charged meanwhile.
    for (let delayMs; (delayMs = this.budget.delayMs(tenantId)) > 0;) {
      if (performance.now() + delayMs > deadline) throw new ConnectionLimitError(BUSY);
      await delay(delayMs, undefined, signal ? { signal } : {});
    }
  }
}
