import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** How much time a tenant's large reads may take at once after a pause. */
const BURST_MS = 5000;
/** The part of the time in the long run: on average an eighth of a connection is busy with a tenant's large reads. */
const SHARE_OF_TIME = 0.125;
/** An export that takes minutes must not keep the tenant's next search waiting for as long. */
const MAX_DEBT_MS = 1000;
/** Charged when a read begins. Otherwise a tenant whose budget is used up could begin one of each kind at once. */
const DEPOSIT_MS = 500;

interface Account {
  balanceMs: number;
  /** When the balance was right, as performance.now(). */
  at: number;
}

/**
 * The time that the large reads of each tenant may take, of all kinds together: a tenant that searches, sorts, counts,
 * reports and exports without a pause would otherwise use a processor of PostgreSQL for each kind, which the calls of
 * other tenants wait for. Each instance of the service has a budget of its own.
 */
@Injectable()
export class LargeReadBudget {
  /** By the end of its time an account that was not used is full again. */
  private readonly accounts = new LRUCache<string, Account>({
    ttl: (BURST_MS + MAX_DEBT_MS) / SHARE_OF_TIME,
    max: 10_000,
  });

  /** How long the tenant has to wait, in ms, before another large read may start. */
  delayMs(tenantId: string, now = performance.now()): number {
    return Math.max(0, -this.balanceOf(tenantId, now) / SHARE_OF_TIME);
  }

  /** A large read of the tenant begins. @returns a function to call when it has ended */
  begin(tenantId: string, begin = performance.now()): (now?: number) => void {
    this.charge(tenantId, DEPOSIT_MS, begin);
    return (now = performance.now()) => this.charge(tenantId, now - begin - DEPOSIT_MS, now);
  }

  private charge(tenantId: string, ms: number, now: number): void {
    const balanceMs = Math.max(-MAX_DEBT_MS, this.balanceOf(tenantId, now) - ms);
    this.accounts.set(tenantId, { balanceMs, at: now });
  }

  private balanceOf(tenantId: string, now: number): number {
    const account = this.accounts.get(tenantId);
    return account ? Math.min(BURST_MS, account.balanceMs + (now - account.at) * SHARE_OF_TIME) : BURST_MS;
  }
}
