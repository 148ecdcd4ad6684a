import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DeletedDepartment, DepartmentEndings } from '../departments/department-endings';
import type { Viewer } from '../identity/users/visible-records';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { AccessLinkCancelled } from './access-link.events';
import type { AccessLinkDto } from './access-link.dto';
import { AccessLinkList } from './access-link-list';

/** Links of a deleted department that one transaction ends. */
const ENDED_AT_ONCE = 1000;

/** Cancels links. Customers can no longer join through a cancelled link; calls that already joined go on. */
@Injectable()
export class CancelAccessLinks implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly list: AccessLinkList,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly endings: DepartmentEndings,
  ) {}

  onModuleInit(): void {
    this.endings.register('links', {
      priority: 0,
      runBatch: (tx, department) => this.endOf(tx, department),
    });
  }

  /** Does nothing for a link that is already cancelled. @throws 404, also for a link that the user may not see */
  async cancel(user: Viewer, id: string): Promise<AccessLinkDto> {
    await this.list.get(user, id);
    await this.database.tenant(user.tenant_id, (tx) => this.cancelWhere(tx, user.tenant_id, 'id', id));
    return this.list.get(user, id);
  }

  /**
   * Cancels the tenant's links that have this value in the column, and records an event for each. Those of a deleted department
   * are cancelled already. Locks all of them, also
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
      `UPDATE access_links l SET cancelled_at = $3
       WHERE tenant_id = $1 AND ${column} = $2 AND cancelled_at IS NULL
         AND EXISTS (SELECT FROM departments d WHERE d.id = l.department_id) RETURNING id`,
      [tenantId, value, now],
    );
    for (const { id } of cancelled) {
      await this.events.record(tx, new AccessLinkCancelled(tenantId, id, now.toISOString()));
    }
  }

  /**
   * Cancels links of a deleted department and keeps its name in them. They have no event each: `department.deleted` stands for
   * them, and they have been invalid since.
   */
  private async endOf(tx: Transaction, { tenant_id, id, name }: DeletedDepartment): Promise<boolean> {
    const batch = await tx.query<{ id: string }>(
      `SELECT id FROM access_links WHERE tenant_id = $1 AND department_id = $2 LIMIT ${ENDED_AT_ONCE}`,
      [tenant_id, id],
    );
    await tx.query(
      // Locked in the order of their ids, as every transaction that locks several links does.
      `WITH locked AS MATERIALIZED (
         SELECT id FROM access_links WHERE tenant_id = $1 AND id = ANY ($5) ORDER BY id FOR NO KEY UPDATE)
       UPDATE access_links l SET department_id = NULL, department_name = $3, cancelled_at = COALESCE(l.cancelled_at, $4)
       FROM locked WHERE l.id = locked.id AND l.department_id = $2`,
      [tenant_id, id, name, this.clock.now(), batch.map((link) => link.id)],
    );
    return batch.length > 0;
  }
}
