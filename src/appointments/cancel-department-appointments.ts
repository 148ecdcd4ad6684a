import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { LIVE_STATUSES } from './appointment.machine';
import { AppointmentTransitions } from './appointment-transitions';

/** What a department's deletion means for its appointments. */
@Injectable()
export class CancelDepartmentAppointments {
  constructor(
    private readonly states: AppointmentTransitions,
    private readonly clock: Clock,
  ) {}

  /** Nobody could come to them any more; those whose time has passed are left to those who know how they went. */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    const live = await tx.query<{ id: string }>(
      `SELECT id FROM appointments WHERE tenant_id = $1 AND department_id = $2 AND status = ANY ($3)
         AND ends_at > $4 ORDER BY id FOR NO KEY UPDATE`,
      [tenant_id, subject_id, LIVE_STATUSES, this.clock.now()],
    );
    for (const { id } of live) {
      await this.states.apply(tx, await this.states.lock(tx, tenant_id, id), 'cancel');
    }
  }
}
