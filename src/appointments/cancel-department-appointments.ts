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
    const batch = await tx.query<Pick<Appointment, 'id' | 'access_link_id'>>(
      `SELECT id, access_link_id FROM appointments WHERE tenant_id = $1 AND department_id = $2 LIMIT ${ENDED_AT_ONCE}`,
      [tenant_id, departmentId],
    );
    // Lock order: links, then appointments, each in the order of their ids.
    await tx.query(
      'SELECT FROM access_links WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
      [tenant_id, batch.map(({ access_link_id }) => access_link_id)],
    );
    const locked = await tx.query<Pick<Appointment, 'id' | 'status' | 'ends_at'>>(
      `SELECT id, status, ends_at FROM appointments WHERE tenant_id = $1 AND id = ANY ($3) AND department_id = $2
       ORDER BY id FOR NO KEY UPDATE`,
      [tenant_id, departmentId, batch.map(({ id }) => id)],
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
    return batch.length > 0;
  }
}
