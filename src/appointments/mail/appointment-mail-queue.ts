import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { Jobs } from '../../platform/jobs/jobs';
import { MailAllowance } from '../../plans/mail-allowance';
import { SecretBox } from '../../platform/secrets/secret-box';
import type { Appointment } from '../appointment.entity';

export const MAIL_QUEUE = 'mail-appointment';

export type AppointmentMailKind = 'invitation' | 'update' | 'cancellation' | 'reminder';

export interface AppointmentMailJob {
  tenant_id: string;
  appointment_id: string;
  kind: AppointmentMailKind;
  /** The appointment's sequence when the mail was requested; a higher one makes the mail outdated. */
  sequence: number;
  /** An encrypted Recipient, because finished jobs stay in the database for a while. */
  sealed_recipient: string;
}

export interface Recipient {
  name: string;
  address: string;
}

const sealPurpose = (appointmentId: string) => `recipient of appointment ${appointmentId}`;

/** Enqueues the mails to an appointment's customer. */
@Injectable()
export class AppointmentMailQueue {
  constructor(
    private readonly jobs: Jobs,
    private readonly secrets: SecretBox,
    private readonly allowance: MailAllowance,
  ) {}

  /**
   * The mail is sent after the transaction commits.
   * @returns false if the appointment has no customer with an e-mail address, or for a reminder that exceeds the
   *   tenant's allowance
   * @throws 403 plan_limit for an invitation or update that exceeds the allowance
   */
  async enqueue(tx: Transaction, appointment: Appointment, kind: AppointmentMailKind): Promise<boolean> {
    const { tenant_id, id, customer_id, sequence } = appointment;
    const recipient = await tx.one<Recipient>(
      `SELECT name, email AS address FROM customers WHERE tenant_id = $1 AND id = $2 AND email IS NOT NULL`,
      [tenant_id, customer_id],
    );
    if (!recipient || !(await this.isWithinAllowance(tx, tenant_id, kind))) return false;
    const sealed_recipient = this.secrets.seal(JSON.stringify(recipient), sealPurpose(id));
    const job: AppointmentMailJob = { tenant_id, appointment_id: id, kind, sequence, sealed_recipient };
    await this.jobs.enqueue(tx, MAIL_QUEUE, job);
    return true;
  }

  /**
   * An invitation or update that cannot be sent fails the user's request; a reminder is left out. Cancellations are always
   * sent, since customers must not wait in vain; each follows an invitation that was counted.
   */
  private async isWithinAllowance(
    tx: Transaction,
    tenantId: string,
    kind: AppointmentMailKind,
  ): Promise<boolean> {
    if (kind === 'cancellation') return true;
    if (kind === 'reminder') return this.allowance.consume(tx, tenantId);
    await this.allowance.ensure(tx, tenantId);
    return true;
  }

  /** Decrypts the recipient of a job. */
  openRecipient({ appointment_id, sealed_recipient }: AppointmentMailJob): Recipient {
    return JSON.parse(this.secrets.open(sealed_recipient, sealPurpose(appointment_id))) as Recipient;
  }
}
