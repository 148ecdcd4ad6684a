import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { Jobs } from '../../platform/jobs/jobs';
import { MailAllowance } from '../../plans/mail-allowance';
import { emailHash } from '../../tenancy/mail/mailbox';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
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
    private readonly rateLimiter: RateLimiter,
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
   *   that exceeds the tenant's allowance or the limit of the address
   * @throws for an invitation or update: 403 plan_limit if it exceeds the allowance, 429 if the limit of the address
   */
  async enqueue(
    tx: Transaction,
    appointment: Appointment,
    kind: Exclude<AppointmentMailKind, 'cancellation'>,
  ): Promise<string | null> {
    const recipient = await this.recipientOf(tx, appointment);
    if (!recipient || !(await this.isWithinLimits(tx, appointment.tenant_id, kind, recipient))) return null;
    const sealed = this.seal(appointment, recipient);
    await this.enqueueJob(tx, appointment, kind, sealed);
    return sealed;
  }

  /**
   * Cancels the invitation, at the address that was invited: the customer's record can have another one since. The mail
   * is always sent, since customers must not wait in vain, but it counts, so that invitations that are cancelled at once
   * do not double the allowance.
   */
  async enqueueCancellation(tx: Transaction, appointment: Appointment): Promise<void> {
    // Appointments that a former version confirmed have no stored recipient.
    let sealed = appointment.sealed_recipient;
    if (!sealed) {
      const recipient = await this.recipientOf(tx, appointment);
      sealed = recipient ? this.seal(appointment, recipient) : null;
    }
    if (!sealed) return;
    await this.enqueueJob(tx, appointment, 'cancellation', sealed);
    this.allowance.countUnlimited(tx, appointment.tenant_id);
  }

  private recipientOf(
    tx: Transaction,
    { tenant_id, customer_id }: Appointment,
  ): Promise<Recipient | undefined> {
    return tx.one<Recipient>(
      `SELECT name, email AS address FROM customers WHERE tenant_id = $1 AND id = $2 AND email IS NOT NULL`,
      [tenant_id, customer_id],
    );
  }

  private seal({ id }: Appointment, recipient: Recipient): string {
    return this.secrets.seal(JSON.stringify(recipient), sealPurpose(id));
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
  private async isWithinLimits(
    tx: Transaction,
    tenantId: string,
    kind: AppointmentMailKind,
    { address }: Recipient,
  ): Promise<boolean> {
    const key = `${tenantId} ${emailHash(address)}`;
    if (kind === 'reminder') {
      return (
        (await this.allowance.consume(tx, tenantId)) &&
        (await this.rateLimiter.admits('appointment_address', key))
      );
    }
    await this.allowance.ensure(tx, tenantId);
    await this.rateLimiter.consume('appointment_address', key);
    return true;
  }

  /** Decrypts the recipient of a job. */
  openRecipient({ appointment_id, sealed_recipient }: AppointmentMailJob): Recipient {
    return JSON.parse(this.secrets.open(sealed_recipient, sealPurpose(appointment_id))) as Recipient;
  }
}
