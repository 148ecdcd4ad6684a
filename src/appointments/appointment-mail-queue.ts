import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';
import { SecretBox } from '../platform/secrets/secret-box';
import type { Appointment } from './appointment.entity';

export const MAIL_QUEUE = 'mail-appointment';

export type AppointmentMailKind = 'invitation' | 'update' | 'cancellation' | 'reminder';

export interface AppointmentMailJob {
  tenant_id: string;
  appointment_id: string;
  kind: AppointmentMailKind;
  /** Of the appointment when this was asked for: what came later makes it out of date. */
  sequence: number;
  /** A Recipient, sealed: rows of jobs are kept for a while. */
  sealed_recipient: string;
}

export interface Recipient {
  name: string;
  address: string;
}

const sealPurpose = (appointmentId: string) => `recipient of appointment ${appointmentId}`;

/** Asks for the mails that an appointment's customer gets. */
@Injectable()
export class AppointmentMailQueue {
  constructor(
    private readonly jobs: Jobs,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Has the customer written to once the transaction commits.
   * @returns whether there is a customer with an address
   */
  async enqueue(tx: Transaction, appointment: Appointment, kind: AppointmentMailKind): Promise<boolean> {
    const { tenant_id, id, customer_id, sequence } = appointment;
    const recipient = await tx.one<Recipient>(
      `SELECT name, email AS address FROM customers WHERE tenant_id = $1 AND id = $2 AND email IS NOT NULL`,
      [tenant_id, customer_id],
    );
    if (!recipient) return false;
    const sealed_recipient = this.secrets.seal(JSON.stringify(recipient), sealPurpose(id));
    const job: AppointmentMailJob = { tenant_id, appointment_id: id, kind, sequence, sealed_recipient };
    await this.jobs.enqueue(tx, MAIL_QUEUE, job);
    return true;
  }

  openRecipient({ appointment_id, sealed_recipient }: AppointmentMailJob): Recipient {
    return JSON.parse(this.secrets.open(sealed_recipient, sealPurpose(appointment_id))) as Recipient;
  }
}
