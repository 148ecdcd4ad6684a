import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { InTransaction } from '../platform/events/listeners';
import { notFound } from '../platform/http/errors/api-error';
import { AccessLinkCancelled } from './access-link.events';
import type { AccessLinkDto } from './access-link.dto';
import { AccessLinkList } from './access-link-list';

/** Cancels links. Customers can no longer join through a cancelled link; calls that already joined go on. */
@Injectable()
export class CancelAccessLinks {
  constructor(
    private readonly database: Database,
    private readonly list: AccessLinkList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Does nothing for a link that is already cancelled. @throws 404 */
  async cancel(tenantId: string, id: string): Promise<AccessLinkDto> {
    await this.database.tenant(tenantId, async (tx) => {
      const found = await tx.query('SELECT FROM access_links WHERE tenant_id = $1 AND id = $2', [
        tenantId,
        id,
      ]);
      if (found.length === 0) throw notFound('Access link');
      await this.cancelWhere(tx, tenantId, 'id', id);
    });
    return this.list.get(tenantId, id);
  }

  /**
   * Cancels the tenant's links that have this value in the column, and records an event for each. Locks all of them, also
   * those cancelled earlier, in the order of their ids, as every transaction that locks several links does.
   */
  async cancelWhere(
    tx: Transaction,
    tenantId: string,
    column: 'id' | 'customer_id',
    value: string,
  ): Promise<void> {
    const now = this.clock.now();
    await tx.query(
      `SELECT count(*) FROM (
         SELECT FROM access_links WHERE tenant_id = $1 AND ${column} = $2 ORDER BY id FOR NO KEY UPDATE) locked`,
      [tenantId, value],
    );
    const cancelled = await tx.query<{ id: string }>(
      `UPDATE access_links SET cancelled_at = $3
       WHERE tenant_id = $1 AND ${column} = $2 AND cancelled_at IS NULL RETURNING id`,
      [tenantId, value, now],
    );
    for (const link of cancelled) {
      await this.events.record(tx, new AccessLinkCancelled(tenantId, link.id, now.toISOString()));
    }
  }

  /**
   * Cancels the links of a deleted department and keeps its name in them. The event of the department stands for them: a
   * department can have very many. Each row is written once: for a row that the transaction has written before, PostgreSQL
   * checks all foreign keys, which would lock customers after links.
   */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    await tx.query(
      `WITH locked AS (
         SELECT id, cancelled_at FROM access_links WHERE tenant_id = $1 AND department_id = $2
         ORDER BY id FOR NO KEY UPDATE)
       UPDATE access_links l SET department_id = NULL, department_name = d.name,
         cancelled_at = COALESCE(locked.cancelled_at, $3)
       FROM locked, departments d WHERE l.id = locked.id AND d.id = $2`,
      [tenant_id, subject_id, this.clock.now()],
    );
  }
}
