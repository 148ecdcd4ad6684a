import type { LRUCache } from 'lru-cache';

/** Less than half of the wait for a connection, after which further requests are refused (`isOverloaded`). */
const SHARE_OF_PUBLIC_WAIT = 0.4;
const SHARE_WHILE_BLOCKED = 0.05;

const LOCK_NOT_AVAILABLE = '55P03';

/** How long the statements of one transaction wait for a lock. */
export class LockTimeout {
  private isShort = false;

  /**
   * @param tenantId undefined across tenants
   * @param publicWaitMs how long a public request waits for a connection; undefined for any other transaction
   * @param blocked the tenants with a transaction that has recently reached its limit
   */
  constructor(
    private tenantId: string | undefined,
    private readonly publicWaitMs: number | undefined,
    private readonly blocked: LRUCache<string, true>,
  ) {
    this.narrow(tenantId);
  }

  /** In milliseconds; undefined for the limit of the session. */
  get ms(): number | undefined {
    if (this.publicWaitMs === undefined) return undefined;
    return this.publicWaitMs * (this.isShort ? SHARE_WHILE_BLOCKED : SHARE_OF_PUBLIC_WAIT);
  }

  /** The tenant of the transaction has become known. */
  narrow(tenantId: string | undefined): void {
    this.tenantId = tenantId;
    this.isShort = tenantId !== undefined && this.blocked.has(tenantId);
  }

  /**
   * Call it when the transaction has failed. A transaction that has reached the short limit is ignored: joins to one
   * department always wait for each other for a moment, so it does not show that a lock is held for long.
   */
  recordFailure(error: unknown): void {
    const isTimeout = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
    if (!isTimeout || this.publicWaitMs === undefined || this.tenantId === undefined || this.isShort) return;
    this.blocked.set(this.tenantId, true);
  }
}
