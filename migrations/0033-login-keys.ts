import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns by which a login finds tenants and users: row-level security keeps comparisons of lower(…) off indexes. */
export class LoginKeys1780000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The keys are added only to databases of the development versions before 0.1.0.
      ALTER TABLE tenants ADD COLUMN IF NOT EXISTS name_key text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED;
      DROP INDEX tenants_name_idx;
      CREATE INDEX tenants_name_idx ON tenants (name_key);

      ALTER TABLE users ADD COLUMN IF NOT EXISTS email_key text NOT NULL GENERATED ALWAYS AS (lower(email)) STORED;
      DROP INDEX users_login_idx;
      CREATE INDEX users_login_idx ON users (email_key);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX users_login_idx, tenants_name_idx;
      CREATE INDEX users_login_idx ON users (lower(email));
      CREATE INDEX tenants_name_idx ON tenants (lower(name));
    `);
  }
}
