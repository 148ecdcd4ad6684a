import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { LIVE_STATUSES } from './appointment.machine';
import { AppointmentTransitions } from './appointment-transitions';

/** Cancels the appointments of a deleted department, because their links are no longer valid. */
@Injectable()
export class CancelDepartmentAppointments {
  constructor(
    private readonly transitions: AppointmentTransitions,
    private readonly clock: Clock,
  ) {}

  /**
   * Past appointments are left for staff to complete or mark as no-shows. They are locked, too, in the order of their ids:
   * the foreign key will clear their department_id in any order.
   */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    const live = await tx.query<{ id: string }>(
      `WITH locked AS (
         SELECT id, status, ends_at FROM appointments WHERE tenant_id = $1 AND department_id = $2
         ORDER BY id FOR NO KEY UPDATE)
       SELECT id FROM locked WHERE status = ANY ($3) AND ends_at > $4 ORDER BY id`,
      [tenant_id, subject_id, LIVE_STATUSES, this.clock.now()],
    );
    for (const { id } of live) {
      const appointment = await this.transitions.lock(tx, tenant_id, id);
      // Each row is written once: for a row that the transaction has written before, PostgreSQL checks all foreign keys,
      // which would lock customers after appointments.
      await this.transitions.apply(tx, appointment, 'cancel', null, { department_id: null });
    }
  }
}
