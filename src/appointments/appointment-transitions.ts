import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { notFound, unprocessable } from '../platform/http/errors/api-error';
import { Appointment } from './appointment.entity';
import {
  AppointmentCancelled,
  AppointmentCompleted,
  AppointmentConfirmed,
  AppointmentNoShow,
} from './appointment.events';
import { AppointmentMailQueue } from './mail/appointment-mail-queue';
import { AppointmentLinks } from './appointment-links';
import { type AppointmentTrigger, decide } from './appointment.machine';
import { computeDeadlines } from './appointment.rules';

const EVENTS = {
  confirm: AppointmentConfirmed,
  complete: AppointmentCompleted,
  cancel: AppointmentCancelled,
  no_show: AppointmentNoShow,
} satisfies Record<AppointmentTrigger, unknown>;

/** The only writer of appointments.status: locks the row, asks the machine, saves and records the event. */
@Injectable()
export class AppointmentTransitions {
  constructor(
    private readonly links: AppointmentLinks,
    private readonly mails: AppointmentMailQueue,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Locks the appointment until the transaction ends. @throws 404 */
  async lock(tx: Transaction, tenantId: string, id: string): Promise<Appointment> {
    const appointment = await tx
      .repository(Appointment)
      .findOne({ where: { id, tenant_id: tenantId }, lock: { mode: 'for_no_key_update' } });
    if (!appointment) throw notFound('Appointment');
    return appointment;
  }

  /**
   * Like lock, but locks the department, the customer and the link first. Merging or deleting customers, and the job that ends the
   * appointments of a deleted department, lock in that order, too: no deadlock.
   */
  async lockWithReferences(tx: Transaction, tenantId: string, id: string): Promise<Appointment> {
    for (const [table, column, lock] of [
      ['departments', 'department_id', 'KEY SHARE'],
      ['customers', 'customer_id', 'KEY SHARE'],
      ['access_links', 'access_link_id', 'NO KEY UPDATE'],
    ]) {
      await tx.query(
        `SELECT FROM ${table} WHERE tenant_id = $1
           AND id = (SELECT ${column} FROM appointments WHERE tenant_id = $1 AND id = $2) FOR ${lock}`,
        [tenantId, id],
      );
    }
    return this.lock(tx, tenantId, id);
  }

  /**
   * Changes the status of an appointment that the transaction has locked, unless it has that status already.
   * @param actorId the user who requested it; null for automatic changes
   * @param others changes of other columns that are saved with the transition, but are not part of its event
   * @throws 422 invalid_transition, or for a confirmation without an active department
   */
  async apply(
    tx: Transaction,
    appointment: Appointment,
    trigger: AppointmentTrigger,
    actorId: string | null = null,
    others: Partial<Appointment> = {},
  ): Promise<void> {
    const decision = decide(appointment.status, trigger);
    if (decision.kind === 'refuse') throw unprocessable('invalid_transition', decision.detail);
    if (decision.kind === 'repeat') return;
    const now = this.clock.now();
    const status = decision.to;
    const changes: Partial<Appointment> = {
      status,
      // Only a confirmed appointment can still be cancelled with a mail.
      sealed_recipient: null,
      updated_at: now,
      ...computeDeadlines({ ...appointment, status }, now),
      ...(trigger === 'confirm' &&
        (await this.createLinkAndInvite(tx, await this.withDepartment(tx, appointment), actorId))),
      ...(trigger === 'cancel' && (await this.cancelLinkAndNotify(tx, appointment))),
    };
    const { id, tenant_id } = appointment;
    await tx.repository(Appointment).update({ id, tenant_id }, { ...changes, ...others });
    await this.events.record(tx, new EVENTS[trigger]({ ...appointment, ...changes }, now));
  }

  private async createLinkAndInvite(
    tx: Transaction,
    appointment: Appointment,
    actorId: string | null,
  ): Promise<Partial<Appointment>> {
    const { department_id } = appointment;
    const access_link_id = await this.links.create(tx, appointment, actorId);
    const now = this.clock.now();
    // A past appointment can be confirmed, but no invitation is sent.
    const sealed_recipient =
      appointment.ends_at > now ? await this.mails.enqueue(tx, appointment, 'invitation') : null;
    return { department_id, access_link_id, sealed_recipient, invited_at: sealed_recipient ? now : null };
  }

  /** Keeps the requested department; else sets the agent's first active one, else the tenant's only active one. */
  private async withDepartment(tx: Transaction, appointment: Appointment): Promise<Appointment> {
    const { tenant_id, user_id, department_id } = appointment;
    if (department_id) return appointment;
    const found = await tx.one<{ id: string }>(
      `SELECT d.id FROM departments d
       LEFT JOIN department_members m ON m.department_id = d.id AND m.user_id = $2
       WHERE d.tenant_id = $1 AND d.active AND (m.user_id IS NOT NULL
         OR (SELECT count(*) = 1 FROM departments o WHERE o.tenant_id = $1 AND o.active))
       ORDER BY m.inserted_at, d.id LIMIT 1`,
      [tenant_id, user_id],
    );
    return { ...appointment, department_id: found?.id ?? null };
  }

  private async cancelLinkAndNotify(
    tx: Transaction,
    appointment: Appointment,
  ): Promise<Partial<Appointment>> {
    await this.links.cancel(tx, appointment);
    const sequence = appointment.sequence + 1;
    if (appointment.invited_at) {
      await this.mails.enqueueCancellation(tx, { ...appointment, sequence });
    }
    return { sequence };
  }
}
