import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Failed logins by e-mail address, and the addresses from which users have logged in. */
export class SignIn1780000000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Has no tenant: e-mail addresses without an account are delayed like all others.
      CREATE TABLE login_delays (
        account_hash text CONSTRAINT login_delays_pkey PRIMARY KEY,
        failures integer NOT NULL,
        next_attempt_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      );
      CREATE INDEX login_delays_expiry_idx ON login_delays (expires_at);
      ALTER TABLE login_delays ENABLE ROW LEVEL SECURITY;
      ALTER TABLE login_delays FORCE ROW LEVEL SECURITY;
      CREATE POLICY login_delays_system_scope ON login_delays
        USING ((SELECT current_setting('app.system', true) = 'on'))
        WITH CHECK ((SELECT current_setting('app.system', true) = 'on'));

      CREATE TABLE login_addresses (
        tenant_id uuid NOT NULL,
        user_id uuid NOT NULL,
        address text NOT NULL,
        last_login_at timestamptz(3) NOT NULL,
        CONSTRAINT login_addresses_pkey PRIMARY KEY (user_id, address),
        CONSTRAINT login_addresses_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX login_addresses_age_idx ON login_addresses (last_login_at);
      ${tenantPolicy('login_addresses')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE login_addresses, login_delays`);
  }
}
