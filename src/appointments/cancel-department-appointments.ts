import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DeletedDepartment, DepartmentEndings } from '../departments/department-endings';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import type { Appointment } from './appointment.entity';
import { isLive } from './appointment.machine';
import { AppointmentTransitions } from './appointment-transitions';

/** Appointments that one transaction ends. */
const ENDED_AT_ONCE = 50;

/** Cancels the appointments of a deleted department, because their links are no longer valid. */
@Injectable()
export class CancelDepartmentAppointments implements OnModuleInit {
  constructor(
    private readonly transitions: AppointmentTransitions,
    private readonly clock: Clock,
    private readonly endings: DepartmentEndings,
  ) {}

  onModuleInit(): void {
    this.endings.register('appointments', {
      priority: 1,
      runBatch: (tx, department) => this.endOf(tx, department),
    });
  }

  /** Past appointments are left for staff to complete or mark as no-shows. */
  private async endOf(tx: Transaction, { tenant_id, id: departmentId }: DeletedDepartment): Promise<boolean> {
    const locked = await tx.query<Pick<Appointment, 'id' | 'status' | 'ends_at'>>(
      // Locked in the order of their ids, as every transaction that locks several appointments does.
      `WITH batch AS MATERIALIZED (
         SELECT id FROM appointments WHERE tenant_id = $1 AND department_id = $2 LIMIT ${ENDED_AT_ONCE})
       SELECT id, status, ends_at FROM appointments WHERE id IN (SELECT id FROM batch) AND department_id = $2
       ORDER BY id FOR NO KEY UPDATE`,
      [tenant_id, departmentId],
    );
    const now = this.clock.now();
    const live = locked.filter(({ status, ends_at }) => isLive(status) && ends_at > now);
    for (const { id } of live) {
      const appointment = await this.transitions.lock(tx, tenant_id, id);
      // Each row is written once: for a row that the transaction has written before, PostgreSQL checks all foreign keys,
      // which would lock customers after appointments.
      await this.transitions.apply(tx, appointment, 'cancel', null, { department_id: null });
    }
    const others = locked.filter((one) => !live.includes(one)).map(({ id }) => id);
    await tx.query('UPDATE appointments SET department_id = NULL WHERE tenant_id = $1 AND id = ANY ($2)', [
      tenant_id,
      others,
    ]);
    return locked.length > 0;
  }
}
