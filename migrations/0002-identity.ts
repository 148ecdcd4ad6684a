import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Users of a tenant and their sessions. */
export class Identity1780000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid CONSTRAINT users_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT users_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        name text NOT NULL,
        email text NOT NULL,
        phone text,
        role text NOT NULL CONSTRAINT users_role_check
          CHECK (role IN ('attendant', 'supervisor', 'manager', 'owner')),
        active boolean NOT NULL DEFAULT true,
        password_hash text,
        mfa_enabled boolean NOT NULL DEFAULT false,
        mfa_secret text,
        last_login_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        -- 0033 uses it. Adding it there would rewrite the table.
        email_key text NOT NULL GENERATED ALWAYS AS (lower(email)) STORED,
        CONSTRAINT users_tenant_key UNIQUE (tenant_id, id)
      );
      CREATE UNIQUE INDEX users_email_key ON users (tenant_id, lower(email));
      CREATE INDEX users_login_idx ON users (lower(email));
      ${tenantPolicy('users')}

      CREATE TABLE sessions (
        id uuid CONSTRAINT sessions_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        user_id uuid NOT NULL,
        address text,
        user_agent text,
        expires_at timestamptz(3) NOT NULL,
        revoked_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT sessions_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT sessions_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX sessions_user_idx ON sessions (user_id) WHERE revoked_at IS NULL;
      CREATE INDEX sessions_expiry_idx ON sessions (expires_at);
      ${tenantPolicy('sessions')}

      CREATE TABLE refresh_tokens (
        token_hash text CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        session_id uuid NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (tenant_id, session_id)
          REFERENCES sessions (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX refresh_tokens_session_idx ON refresh_tokens (session_id);
      ${tenantPolicy('refresh_tokens')}

      CREATE TABLE recovery_codes (
        code_hash text NOT NULL,
        tenant_id uuid NOT NULL,
        user_id uuid NOT NULL,
        used_at timestamptz(3),
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
        CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      ${tenantPolicy('recovery_codes')}

      CREATE TABLE password_resets (
        token_hash text CONSTRAINT password_resets_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        user_id uuid NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3),
        CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX password_resets_user_idx ON password_resets (user_id);
      ${tenantPolicy('password_resets')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE password_resets, recovery_codes, refresh_tokens, sessions, users`);
  }
}
