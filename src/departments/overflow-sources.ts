import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { DepartmentUpdated } from './department.events';

/** The departments whose calls overflow to a department that is deleted. */
@Injectable()
export class OverflowSources {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks them and the department in the order of their ids, without waiting: two departments can overflow to each other and
   * be deleted at the same time.
   */
  lock(tx: Transaction, tenantId: string, departmentId: string): void {
    tx.send({
      text: `SELECT FROM departments WHERE tenant_id = $1 AND (id = $2 OR overflow_department_id = $2)
             ORDER BY id FOR UPDATE`,
      values: [tenantId, departmentId],
    });
  }

  /** Their calls overflow no longer. */
  async clear(tx: Transaction, tenantId: string, departmentId: string): Promise<void> {
    const now = this.clock.now();
    const sources = await tx.query<{ id: string }>(
      `UPDATE departments SET overflow_department_id = NULL, updated_at = $3
       WHERE tenant_id = $1 AND overflow_department_id = $2 RETURNING id`,
      [tenantId, departmentId, now],
    );
    for (const { id } of sources) {
      const changed = ['overflow_department_id'];
      await this.events.record(tx, new DepartmentUpdated(tenantId, id, now.toISOString(), changed));
    }
  }
}
