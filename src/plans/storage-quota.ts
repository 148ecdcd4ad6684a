import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { planLimit } from '../platform/http/errors/api-error';
import { largerPlanHint, type Plan } from './plan-catalogue';
import { BYTES_PER_MIB, StorageUsage } from './storage-usage';
import { SubscriptionsService } from './subscriptions.service';

interface UsedRow {
  used: number;
}

/** Keeps what a tenant stores within the limit of its plan. */
@Injectable()
export class StorageQuota {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly usage: StorageUsage,
  ) {}

  /**
   * Takes the lock under which storage is counted. Call it before locking other rows, since the tenant comes first in
   * the lock order.
   */
  lock(tx: Transaction, tenantId: string): Promise<void> {
    return this.subscriptions.lockLimits(tx, tenantId);
  }

  /**
   * Checks that the tenant may store this many more bytes. It holds the tenant's lock until the transaction ends, so
   * that two transactions cannot both use the space that is left.
   * @throws 403 plan_limit
   */
  async ensureWithinQuota(tx: Transaction, tenantId: string, bytes: number): Promise<void> {
    await this.lock(tx, tenantId);
    const plan = await this.subscriptions.planInForce(tx, tenantId);
    const row = await tx.one<UsedRow>(this.usedSql, [tenantId]);
    ensureWithinPlan(plan, (row?.used ?? 0) + bytes);
  }

  /**
   * As `ensureWithinQuota`, without a lock: it rejects an upload before its content is read. The transaction that
   * reserves its space decides.
   * @throws 403 plan_limit
   */
  async ensureProbablyWithinQuota(tenantId: string, bytes: number): Promise<void> {
    const plan = await this.subscriptions.readPlanInForce(tenantId);
    const [[row]] = await this.database.readTenant<[UsedRow]>(tenantId, [
      { text: this.usedSql, values: [tenantId] },
    ]);
    ensureWithinPlan(plan, (row?.used ?? 0) + bytes);
  }

  private get usedSql(): string {
    return `SELECT (${this.usage.bytesSql})::float8 AS used`;
  }
}

/** @throws 403 plan_limit */
function ensureWithinPlan({ name, limits }: Plan, bytes: number): void {
  const max = limits.max_storage_mb;
  if (max === null || bytes <= max * BYTES_PER_MIB) return;
  throw planLimit(
    `The plan ${name} allows ${max / 1024} GiB of recordings, files and unfinished uploads.` +
      largerPlanHint('max_storage_mb', Math.ceil(bytes / BYTES_PER_MIB) - 1),
  );
}
