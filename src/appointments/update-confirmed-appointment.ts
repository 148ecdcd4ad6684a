import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import type { Appointment } from './appointment.entity';
import { AppointmentMailQueue } from './mail/appointment-mail-queue';
import { AppointmentLinks } from './appointment-links';
import { INVITATION_FIELDS } from './appointment.rules';

type Invitation = Pick<Appointment, 'invited_at' | 'sealed_recipient'>;

const NOT_INVITED: Invitation = { invited_at: null, sealed_recipient: null };

/** Keeps the link and the invitation of a confirmed appointment up to date when the appointment changes. */
@Injectable()
export class UpdateConfirmedAppointment {
  constructor(
    private readonly links: AppointmentLinks,
    private readonly mails: AppointmentMailQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Updates the link and notifies the customer, if a field of the invitation has changed.
   * @param actorId the user who changes the appointment
   * @returns further changes that the caller must save
   * @throws 422 without an active department
   */
  async updateLinkAndNotify(
    tx: Transaction,
    before: Appointment,
    after: Appointment,
    actorId: string,
  ): Promise<Partial<Appointment>> {
    const fields = Object.fromEntries(INVITATION_FIELDS.map((name) => [name, after[name]]));
    if (changedFields(before, fields).length === 0) return {};
    const access_link_id = await this.links.update(tx, before, after, actorId);
    const sequence = before.sequence + 1;
    const invitation = await this.notifyCustomers(tx, { ...before, sequence }, { ...after, sequence });
    return { access_link_id, sequence, ...invitation };
  }

  /**
   * Sends an update to the same customer, or a cancellation to the previous customer and an invitation to the new one.
   * @returns when and where the current customer was last invited
   */
  private async notifyCustomers(
    tx: Transaction,
    before: Appointment,
    after: Appointment,
  ): Promise<Invitation> {
    const now = this.clock.now();
    const isSameCustomer = before.customer_id === after.customer_id;
    if (before.invited_at && !isSameCustomer) await this.mails.enqueueCancellation(tx, before);
    const { invited_at, sealed_recipient } = isSameCustomer ? before : NOT_INVITED;
    if (after.ends_at <= now) return { invited_at, sealed_recipient };
    const recipient = await this.mails.enqueue(tx, after, invited_at ? 'update' : 'invitation');
    return recipient ? { invited_at: now, sealed_recipient: recipient } : { invited_at, sealed_recipient };
  }
}
