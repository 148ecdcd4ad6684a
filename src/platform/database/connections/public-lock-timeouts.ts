import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../clock/clock';
import { currentConnectionKind } from '../../logging/request-context';
import { PoolAdmission } from './pool-admission';

/** Less than half of the wait for a connection, after which further requests are refused (`isOverloaded`). */
const SHARE_OF_PUBLIC_WAIT = 0.4;
const SHARE_WHILE_BLOCKED = 0.05;
const BLOCKED_MS = 1000;
const MAX_BLOCKED_TENANTS = 1000;

const LOCK_NOT_AVAILABLE = '55P03';

/** How long the statements of one transaction wait for a lock. */
export class LockTimeout {
  private isShort = false;

  /**
   * @param tenantId undefined across tenants
   * @param publicWaitMs how long a public request waits for a connection; undefined for any other transaction
   * @param blocked the tenants one of whose transactions has just waited for a lock in vain
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

  /** The transaction has failed. A short limit proves nothing: joins to one department always wait for each other. */
  recordFailure(error: unknown): void {
    const isTimeout = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
    if (!isTimeout || this.publicWaitMs === undefined || this.tenantId === undefined || this.isShort) return;
    this.blocked.set(this.tenantId, true);
  }
}

/**
 * Limits how long transactions of public requests wait for a lock. They have few connections, and a transaction that waits
 * for a lock holds one of them: joins to a locked department would hold all of them, and those of other tenants would
 * fail. So the limit is shorter than the wait for a connection, and much shorter for a second after a transaction of the
 * tenant has reached it.
 */
@Injectable()
export class PublicLockTimeouts {
  private readonly blocked: LRUCache<string, true>;

  constructor(
    private readonly admission: PoolAdmission,
    clock: Clock,
  ) {
    this.blocked = new LRUCache({
      max: MAX_BLOCKED_TENANTS,
      ttl: BLOCKED_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  /** The limit of a new transaction of the current code. @param tenantId undefined across tenants */
  begin(tenantId: string | undefined): LockTimeout {
    const isPublic = currentConnectionKind() === 'public';
    return new LockTimeout(tenantId, isPublic ? this.admission.publicWaitMs : undefined, this.blocked);
  }
}
