import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/changed-fields';
import type { Appointment } from './appointment.entity';
import { AppointmentMailQueue } from './appointment-mail-queue';
import { AppointmentLinks } from './appointment-links';
import { INVITATION_FIELDS } from './appointment.rules';

/** What a change of a confirmed appointment brings about. */
@Injectable()
export class UpdateConfirmedAppointment {
  constructor(
    private readonly links: AppointmentLinks,
    private readonly invitations: AppointmentMailQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the link fit, and has the invited told.
   * @param actorId the user who changes it
   * @returns what else has to be written
   * @throws 422 without a department that takes calls
   */
  async update(
    tx: Transaction,
    before: Appointment,
    after: Appointment,
    actorId: string,
  ): Promise<Partial<Appointment>> {
    const fields = Object.fromEntries(INVITATION_FIELDS.map((name) => [name, after[name]]));
    if (changedFields(before, fields).length === 0) return {};
    const access_link_id = await this.links.update(tx, before, after, actorId);
    const sequence = before.sequence + 1;
    const invited_at = await this.notifyCustomer(tx, { ...before, sequence }, { ...after, sequence });
    return { access_link_id, sequence, invited_at };
  }

  /** @returns when the present customer was last invited */
  private async notifyCustomer(
    tx: Transaction,
    before: Appointment,
    after: Appointment,
  ): Promise<Date | null> {
    const now = this.clock.now();
    const isSameCustomer = before.customer_id === after.customer_id;
    if (before.invited_at && !isSameCustomer) await this.invitations.enqueue(tx, before, 'cancellation');
    const known = isSameCustomer ? before.invited_at : null;
    if (after.ends_at <= now) return known;
    const isTold = await this.invitations.enqueue(tx, after, known ? 'update' : 'invitation');
    return isTold ? now : known;
  }
}
