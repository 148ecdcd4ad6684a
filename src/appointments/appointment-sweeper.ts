import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { DeadlineSweeper } from '../platform/jobs/deadline-sweeper';
import { TaskIntervals } from '../platform/jobs/task-intervals';
import { Appointment } from './appointment.entity';
import { AppointmentInvitations } from './appointment-invitations';
import { dueReminders } from './appointment.rules';
import { AppointmentStates } from './appointment-states';

const SWEEP_INTERVAL_MS = 2000;
/** Until somebody looks again whether a customer who came has gone. */
const LOOK_AGAIN_SECONDS = 60;

/** Acts on deadlines of appointments that have passed: reminds customers, and notes who did not come. */
@Injectable()
export class AppointmentSweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly states: AppointmentStates,
    private readonly invitations: AppointmentInvitations,
  ) {
    super('appointments', intervals.of(SWEEP_INTERVAL_MS), database, clock);
  }

  protected async settle(tx: Transaction, id: string): Promise<void> {
    const appointment = await tx.repository(Appointment).findOne({
      where: { id },
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
    if (!appointment) return;
    const now = this.clock.now();
    const { no_show_deadline } = appointment;
    if (no_show_deadline && no_show_deadline <= now) await this.settleVisit(tx, appointment);
    else await this.remind(tx, appointment, now);
  }

  /** Of two that are due by now, one is enough; one that comes too late is not mailed any more. */
  private async remind(tx: Transaction, appointment: Appointment, now: Date): Promise<void> {
    const cleared = dueReminders(appointment, now);
    if (Object.keys(cleared).length === 0) return;
    const { id, tenant_id } = appointment;
    await tx.repository(Appointment).update({ id, tenant_id }, cleared);
    await this.invitations.send(tx, appointment, 'reminder');
  }

  /** Whoever came by the appointment's link is no no-show while there; a completed call completes it by itself. */
  private async settleVisit(tx: Transaction, appointment: Appointment): Promise<void> {
    const { id, tenant_id, access_link_id } = appointment;
    const open = await tx.query(
      `SELECT FROM calls WHERE tenant_id = $1 AND access_link_id = $2
         AND status IN ('queued', 'assigned', 'active') LIMIT 1`,
      [tenant_id, access_link_id],
    );
    if (open.length === 0) return this.states.apply(tx, appointment, 'no_show');
    const no_show_deadline = this.clock.in(LOOK_AGAIN_SECONDS);
    await tx.repository(Appointment).update({ id, tenant_id }, { no_show_deadline });
  }
}
