import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { Jobs } from '../../platform/jobs/jobs';
import { MailAllowance } from '../../plans/mail-allowance';
import { SecretBox } from '../../platform/secrets/secret-box';
import { SecretResealer } from '../../platform/secrets/secret-resealer';
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
export class AppointmentMailQueue implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly secrets: SecretBox,
    private readonly resealing: SecretResealer,
    private readonly allowance: MailAllowance,
  ) {}

  onModuleInit(): void {
    this.resealing.register({ table: 'appointments', column: 'sealed_recipient', purpose: sealPurpose });
    this.resealing.registerJobs<AppointmentMailJob>({
      queue: MAIL_QUEUE,
      field: 'sealed_recipient',
      purpose: ({ appointment_id }) => sealPurpose(appointment_id),
    });
  }

  /**
   * The mail is sent after the transaction commits.
   * @returns the encrypted recipient; null if the appointment has no customer with an e-mail address, or for a reminder
   *   that exceeds the tenant's allowance
   * @throws 403 plan_limit for an invitation or update that exceeds the allowance
   */
  async enqueue(
    tx: Transaction,
    appointment: Appointment,
    kind: Exclude<AppointmentMailKind, 'cancellation'>,
  ): Promise<string | null> {
    const recipient = await this.sealCustomer(tx, appointment);
    if (!recipient || !(await this.isWithinAllowance(tx, appointment.tenant_id, kind))) return null;
    await this.enqueueJob(tx, appointment, kind, recipient);
    return recipient;
  }

  /**
   * Cancels the invitation, at the address that was invited: the customer's record can have another one since. The mail
   * is always sent, since customers must not wait in vain, but it counts, so that invitations that are cancelled at once
   * do not double the allowance.
   */
  async enqueueCancellation(tx: Transaction, appointment: Appointment): Promise<void> {
    // Appointments that a former version confirmed have no stored recipient.
    const recipient = appointment.sealed_recipient ?? (await this.sealCustomer(tx, appointment));
    if (!recipient) return;
    await this.enqueueJob(tx, appointment, 'cancellation', recipient);
    this.allowance.countUnlimited(tx, appointment.tenant_id);
  }

  private async sealCustomer(
    tx: Transaction,
    { tenant_id, id, customer_id }: Appointment,
  ): Promise<string | null> {
    const recipient = await tx.one<Recipient>(
      `SELECT name, email AS address FROM customers WHERE tenant_id = $1 AND id = $2 AND email IS NOT NULL`,
      [tenant_id, customer_id],
    );
    return recipient ? this.secrets.seal(JSON.stringify(recipient), sealPurpose(id)) : null;
  }

  private enqueueJob(
    tx: Transaction,
    { tenant_id, id, sequence }: Appointment,
    kind: AppointmentMailKind,
    sealed_recipient: string,
  ): Promise<void> {
    const job: AppointmentMailJob = { tenant_id, appointment_id: id, kind, sequence, sealed_recipient };
    return this.jobs.enqueue(tx, MAIL_QUEUE, job);
  }

  /** An invitation or update that cannot be sent fails the user's request; a reminder is left out. */
  private async isWithinAllowance(
    tx: Transaction,
    tenantId: string,
    kind: AppointmentMailKind,
  ): Promise<boolean> {
    if (kind === 'reminder') return this.allowance.consume(tx, tenantId);
    await this.allowance.ensure(tx, tenantId);
    return true;
  }

  /** Decrypts the recipient of a job. */
  openRecipient({ appointment_id, sealed_recipient }: AppointmentMailJob): Recipient {
    return JSON.parse(this.secrets.open(sealed_recipient, sealPurpose(appointment_id))) as Recipient;
  }
}
