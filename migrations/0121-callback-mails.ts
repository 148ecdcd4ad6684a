import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** The mails that invited customers to return: how many a day go to one mailbox, and whether its owner wants them. */
export class CallbackMails1780000000121 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE callback_mails (
        call_id uuid NOT NULL,
        tenant_id uuid NOT NULL,
        mailbox text NOT NULL,
        sent_at timestamptz(3) NOT NULL,
        -- The day of the company's allowance that the mail counts in.
        day date NOT NULL,
        -- When the customer came back by the link of the mail.
        returned_at timestamptz(3),
        CONSTRAINT callback_mails_pkey PRIMARY KEY (call_id, sent_at),
        CONSTRAINT callback_mails_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX callback_mails_day_idx ON callback_mails (tenant_id, day);
      CREATE INDEX callback_mails_mailbox_idx ON callback_mails (tenant_id, mailbox, day);
      ${tenantPolicy('callback_mails')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE callback_mails');
  }
}
