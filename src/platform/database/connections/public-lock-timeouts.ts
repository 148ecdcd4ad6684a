import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../clock/clock';
import { currentConnectionKind } from '../../logging/request-context';
import { LockTimeout } from './lock-timeout';
import { PoolAdmission } from './pool-admission';

const BLOCKED_MS = 1000;
const MAX_BLOCKED_TENANTS = 1000;

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
      perf: { now: () => clock.elapsedMs() },
    });
  }

  /** The limit of a new transaction of the current code. @param tenantId undefined across tenants */
  begin(tenantId: string | undefined): LockTimeout {
    const isPublic = currentConnectionKind() === 'public';
    return new LockTimeout(tenantId, isPublic ? this.admission.publicWaitMs : undefined, this.blocked);
  }
}
