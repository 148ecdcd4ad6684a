import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Mails to customers, counted by day, and the confirmation of a company's e-mail address. */
export class MailAllowance1780000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_usage (
        tenant_id uuid NOT NULL CONSTRAINT mail_usage_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        day date NOT NULL,
        mail_count integer NOT NULL,
        CONSTRAINT mail_usage_pkey PRIMARY KEY (tenant_id, day)
      );
      CREATE INDEX mail_usage_day_idx ON mail_usage (day);
      ${tenantPolicy('mail_usage')}

      ALTER TABLE tenants ADD email_confirmed_at timestamptz(3);
      -- Companies that registered before confirmations existed could mail their customers.
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE tenants SET email_confirmed_at = inserted_at;
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants DROP email_confirmed_at;
      DROP TABLE mail_usage;
    `);
  }
}
