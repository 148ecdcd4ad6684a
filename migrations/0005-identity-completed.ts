import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** MFA attempts, and the columns for the list of sessions. */
export class IdentityCompleted1780000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions ADD last_used_at timestamptz(3) NOT NULL DEFAULT now();

      -- The time step (RFC 6238) of the newest accepted code; codes of this step or earlier are rejected.
      ALTER TABLE users ADD mfa_last_step bigint;

      CREATE TABLE mfa_attempts (
        token_hash text CONSTRAINT mfa_attempts_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        user_id uuid NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT mfa_attempts_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX mfa_attempts_user_idx ON mfa_attempts (user_id);
      CREATE INDEX mfa_attempts_expiry_idx ON mfa_attempts (expires_at);
      ${tenantPolicy('mfa_attempts')}

      CREATE INDEX password_resets_expiry_idx ON password_resets (expires_at);
      CREATE INDEX refresh_tokens_expiry_idx ON refresh_tokens (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX refresh_tokens_expiry_idx, password_resets_expiry_idx;
      DROP TABLE mfa_attempts;
      ALTER TABLE users DROP mfa_last_step;
      ALTER TABLE sessions DROP last_used_at;
    `);
  }
}
