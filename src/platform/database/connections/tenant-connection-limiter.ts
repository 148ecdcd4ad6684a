import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConnectionLimiter, ConnectionLimitError } from './connection-limiter';
import { LargeReadBudget } from './large-read-budget';
import { KeyedSemaphore } from './keyed-semaphore';

const BUSY = 'Other large reads of the company are in progress.';

/**
 * A ConnectionLimiter that gives each tenant at most one of its connections. The tenants take turns, so the reads of
 * one tenant delay those of another by one read at most. A tenant that has exceeded its budget of large reads waits
 * until the budget allows another read; all limiters share the budget. Each module that provides this class has a limit
 * of its own. Work that holds a connection must not wait for another one of the same limiter.
 */
@Injectable()
export class TenantConnectionLimiter {
  private readonly tenants = new KeyedSemaphore(1, BUSY);

  constructor(
    private readonly connections: ConnectionLimiter,
    private readonly budget: LargeReadBudget,
  ) {}

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
   * Waits for the tenant's turn and for a connection, together as long as the ConnectionLimiter does.
   * @returns a function that frees both; further calls of it do nothing
   * @throws ConnectionLimitError when that takes too long; the signal's reason
   */
  async acquire(tenantId: string, signal?: AbortSignal): Promise<() => void> {
    const deadline = performance.now() + this.connections.waitTimeoutMs;
    const remaining = () => Math.max(0, deadline - performance.now());
    const releaseTenant = await this.tenants.acquire(tenantId, remaining(), signal);
    try {
      await this.waitForBudget(tenantId, remaining(), signal);
      const releaseConnection = await this.connections.acquire(signal, remaining());
      const charge = this.budget.begin(tenantId);
      let isHeld = true;
      return () => {
        if (isHeld) charge();
        isHeld = false;
        releaseConnection();
        releaseTenant();
      };
    } catch (error) {
      releaseTenant();
      throw error;
    }
  }

  /** Whether the tenant has to wait before another large read may begin. */
  mustWait(tenantId: string): boolean {
    return this.budget.delayMs(tenantId) > 0;
  }

  private async waitForBudget(tenantId: string, remainingMs: number, signal?: AbortSignal): Promise<void> {
    // Reads of other kinds may be charged meanwhile.
    const deadline = performance.now() + remainingMs;
    for (let delayMs; (delayMs = this.budget.delayMs(tenantId)) > 0;) {
      if (performance.now() + delayMs > deadline) throw new ConnectionLimitError(BUSY);
      await delay(delayMs, undefined, signal ? { signal } : {});
    }
  }
}
