import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalDataRegistry } from '../../../customers/personal-data-registry';
import { MailAllowance, type MailDay } from '../../../plans/mail-allowance';
import { Clock } from '../../../platform/clock/clock';
import { settleAll } from '../../../platform/database/settle-all';
import type { Transaction } from '../../../platform/database/transaction';
import { unprocessable } from '../../../platform/http/errors/api-error';
import { mailboxOf } from '../../../tenancy/mail/mailbox';
import type { Call } from '../../call.entity';
import type { Callback } from '../callback.entity';

/** The part of a company's allowance of mails that customers who ask for callbacks can use. */
const CALLBACKS_SHARE = 0.5;

/** Mails a day from one company to one mailbox. */
const MAX_PER_MAILBOX = 3;

/** The part of each limit that is for everybody. The rest is kept for mailboxes whose owners have come back by a mailed link. */
const STRANGERS_SHARE = 0.8;

const OF_CUSTOMER = `m.tenant_id = $1
  AND m.call_id IN (SELECT id FROM calls WHERE tenant_id = $1 AND customer_id = $2)`;

/** Mails of one day that were sent. */
interface Usage {
  sent: number;
  sent_to_mailbox: number;
  /** Whether somebody has ever returned by a mail to the mailbox. */
  has_returned: boolean;
}

const USAGE = `SELECT count(*)::int AS sent, (count(*) FILTER (WHERE mailbox = $3))::int AS sent_to_mailbox,
    EXISTS (SELECT FROM callback_mails WHERE tenant_id = $1 AND mailbox = $3 AND returned_at IS NOT NULL) AS has_returned
  FROM callback_mails WHERE tenant_id = $1 AND day = $2`;

/** The addresses of other calls whose mails are still to be sent: not more than the callbacks' share of the allowance. */
const AWAITED = `SELECT email FROM callbacks
  WHERE tenant_id = $1 AND channel = 'email' AND next_attempt_at IS NOT NULL AND call_id <> $2`;

/**
 * Limits the mails that customers can have sent to any address by asking for callbacks. The row of the day in mail_usage, which
 * stays locked until the transaction ends, decides between parallel requests.
 */
@Injectable()
export class CallbackMails implements OnModuleInit {
  constructor(
    private readonly allowance: MailAllowance,
    private readonly personalData: PersonalDataRegistry,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.personalData.register({
      name: 'callback_mails',
      export: (tx, tenantId, customerId) =>
        tx.query(
          `SELECT m.call_id, m.mailbox, m.sent_at, m.returned_at FROM callback_mails m WHERE ${OF_CUSTOMER}
           ORDER BY m.sent_at, m.call_id`,
          [tenantId, customerId],
        ),
      erase: async (tx, tenantId, customerId) => {
        const erased = await tx.query(
          `DELETE FROM callback_mails m WHERE ${OF_CUSTOMER} RETURNING m.call_id`,
          [tenantId, customerId],
        );
        return erased.length;
      },
    });
  }

  /**
   * Makes sure that the call, whose callback is requested, can get its mail today. Call it last: all other callbacks of the
   * company wait for this transaction.
   * @throws 422 callback_limit
   */
  async ensureRoom(tx: Transaction, call: Call, email: string): Promise<void> {
    const today = await this.allowance.lockDay(tx, call.tenant_id);
    const hasRoom = today && (await this.hasRoom(tx, call, email, today));
    if (!hasRoom) throw unprocessable('callback_limit', 'No mail can be sent to this address today.');
  }

  private async hasRoom(tx: Transaction, call: Call, email: string, today: MailDay): Promise<boolean> {
    const mailbox = mailboxOf(email);
    const [{ sent, sent_to_mailbox, has_returned }, waiting] = await settleAll([
      this.usageOf(tx, call, mailbox, today),
      tx.query<Pick<Callback, 'email'>>(AWAITED, [call.tenant_id, call.id]),
    ]);
    const awaited = waiting.length;
    const awaited_to_mailbox = waiting.filter((one) => one.email && mailboxOf(one.email) === mailbox).length;
    const max = today.max * (has_returned ? 1 : STRANGERS_SHARE);
    return (
      sent_to_mailbox + awaited_to_mailbox < MAX_PER_MAILBOX &&
      sent + awaited < Math.floor(max * CALLBACKS_SHARE) &&
      today.mails + awaited < Math.floor(max)
    );
  }

  /**
   * Counts the mail of an invitation. Its request has made sure that there is room for it, but other mails, or an earlier
   * invitation of the same call, can have used that.
   * @returns false, without counting the mail, when it must not be sent
   */
  async consume(tx: Transaction, call: Call, email: string): Promise<boolean> {
    const { tenant_id, id } = call;
    const today = await this.allowance.lockDay(tx, tenant_id);
    if (!today) return false;
    const mailbox = mailboxOf(email);
    const { sent, sent_to_mailbox, has_returned } = await this.usageOf(tx, call, mailbox, today);
    const hasRoom =
      sent_to_mailbox < MAX_PER_MAILBOX &&
      sent < Math.floor(today.max * CALLBACKS_SHARE) &&
      today.mails < Math.floor(today.max * (has_returned ? 1 : STRANGERS_SHARE));
    if (!hasRoom || !(await this.allowance.consume(tx, tenant_id))) return false;
    await tx.query(
      'INSERT INTO callback_mails (tenant_id, call_id, mailbox, sent_at, day) VALUES ($1, $2, $3, $4, $5)',
      [tenant_id, id, mailbox, this.clock.now(), today.day],
    );
    return true;
  }

  /**
   * The customer has come back by the link of the mails of the call, without waiting. All its mails have the same link, so
   * this says nothing if they went to several mailboxes.
   */
  recordReturn(tx: Transaction, { tenant_id, id }: Call): void {
    tx.send({
      text: `UPDATE callback_mails m SET returned_at = $3 WHERE m.tenant_id = $1 AND m.call_id = $2 AND m.returned_at IS NULL
        AND NOT EXISTS (SELECT FROM callback_mails o WHERE o.call_id = m.call_id AND o.mailbox <> m.mailbox)`,
      values: [tenant_id, id, this.clock.now()],
    });
  }

  private async usageOf(
    tx: Transaction,
    { tenant_id }: Call,
    mailbox: string,
    { day }: MailDay,
  ): Promise<Usage> {
    const usage = await tx.one<Usage>(USAGE, [tenant_id, day, mailbox]);
    if (!usage) throw new Error('No usage');
    return usage;
  }
}
