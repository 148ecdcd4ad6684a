import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { TenantUpdated } from '../../tenancy/tenant.events';
import { Department } from '../department.entity';
import { planClosing } from './closing.rules';
import { HOURS_SQL, type HoursRow, hoursOf } from './department-hours.rules';

/** A department whose closing deadline has passed. */
export interface DueClosing extends HoursRow {
  id: string;
  tenant_id: string;
  closing_at: Date | null;
}

/** The closings of departments that end calls. A plan is columns of the department, so it survives a restart. */
@Injectable()
export class Closings {
  /**
   * Locks the department until the transaction ends. It waits for the lock, which joins hold one after the other: skipping
   * the row could put off the closing of a busy department again and again.
   * @returns undefined if another instance has done what was due
   */
  lockDue(tx: Transaction, departmentId: string, now: Date): Promise<DueClosing | undefined> {
    return tx.one<DueClosing>(
      `SELECT d.id, d.tenant_id, d.closing_at, ${HOURS_SQL} FROM departments d
       WHERE d.id = $1 AND d.closing_deadline <= $2 FOR NO KEY UPDATE`,
      [departmentId, now],
    );
  }

  /** Plans the first closing after `now`. */
  async planNext(tx: Transaction, due: DueClosing, now: Date): Promise<void> {
    const hours = hoursOf(due);
    const plan = hours ? planClosing(hours, now) : { closing_at: null, closing_deadline: null };
    await tx.repository(Department).update({ id: due.id, tenant_id: due.tenant_id }, plan);
  }

  /** The closing was announced: the next step is the closing itself. */
  async setAnnounced(tx: Transaction, { id, tenant_id, closing_at }: DueClosing): Promise<void> {
    await tx.repository(Department).update({ id, tenant_id }, { closing_deadline: closing_at });
  }

  /** Hours without a time zone of their own follow the company's. */
  @InTransaction(TenantUpdated)
  async onTenantUpdated(event: TenantUpdated, tx: Transaction): Promise<void> {
    if (!event.changed.includes('timezone')) return;
    await tx.query(
      `UPDATE departments d SET closing_at = NULL, closing_deadline = $2 FROM (
         SELECT id FROM departments WHERE tenant_id = $1 AND closing_deadline IS NOT NULL
           AND opening_hours->>'timezone' IS NULL
         ORDER BY id FOR NO KEY UPDATE) planned
       WHERE d.tenant_id = $1 AND d.id = planned.id`,
      [event.tenant_id, event.occurred_at],
    );
  }
}
