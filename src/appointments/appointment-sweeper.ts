import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { DeadlineSweeper } from '../calls/deadlines/deadline-sweeper';
import { TaskIntervals } from '../platform/jobs/task-intervals';
import { Appointment } from './appointment.entity';
import { AppointmentMailQueue } from './mail/appointment-mail-queue';
import { dueReminderUpdate } from './appointment.rules';
import { AppointmentTransitions } from './appointment-transitions';

const SWEEP_INTERVAL_MS = 2000;
/** How long to wait before checking again while the customer's call is open. */
const NO_SHOW_RECHECK_SECONDS = 60;

/** Acts on passed deadlines of appointments: reminds customers and marks no-shows. */
@Injectable()
export class AppointmentSweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly transitions: AppointmentTransitions,
    private readonly mails: AppointmentMailQueue,
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
    if (no_show_deadline && no_show_deadline <= now) await this.settleNoShow(tx, appointment);
    else await this.remind(tx, appointment, now);
  }

  /** Sends one reminder even if both are due. The mail worker drops a reminder that is too late. */
  private async remind(tx: Transaction, appointment: Appointment, now: Date): Promise<void> {
    const update = dueReminderUpdate(appointment, now);
    if (Object.keys(update).length === 0) return;
    const { id, tenant_id } = appointment;
    await tx.repository(Appointment).update({ id, tenant_id }, update);
    await this.mails.enqueue(tx, appointment, 'reminder');
  }

  /** Checks again later while a call through the appointment's link is open; its completion completes the appointment. */
  private async settleNoShow(tx: Transaction, appointment: Appointment): Promise<void> {
    const { id, tenant_id, access_link_id } = appointment;
    const open = await tx.query(
      `SELECT FROM calls WHERE tenant_id = $1 AND access_link_id = $2
         AND status IN ('queued', 'assigned', 'active') LIMIT 1`,
      [tenant_id, access_link_id],
    );
    if (open.length === 0) return this.transitions.apply(tx, appointment, 'no_show');
    const no_show_deadline = this.clock.in(NO_SHOW_RECHECK_SECONDS);
    await tx.repository(Appointment).update({ id, tenant_id }, { no_show_deadline });
  }
}
