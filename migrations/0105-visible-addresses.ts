import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The characters that `withoutInvisible` removes from addresses, as far as an address can have them. */
const INVISIBLE = String.raw`[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0]`;

/**
 * Removes invisible characters from stored e-mail addresses: they are removed from those that are sent, so users could no longer
 * log in and customers would not be found. A user's address that another one has without them stays.
 */
export class VisibleAddresses1780000000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH cleaned AS (
        SELECT DISTINCT ON (tenant_id, lower(email)) * FROM (
          SELECT id, tenant_id, inserted_at, regexp_replace(email, '${INVISIBLE}', '', 'g') AS email
          FROM users WHERE email ~ '${INVISIBLE}'
        ) u ORDER BY tenant_id, lower(email), inserted_at, id
      )
      UPDATE users u SET email = c.email FROM cleaned c
      WHERE u.id = c.id AND NOT EXISTS (
        SELECT FROM users other WHERE other.tenant_id = c.tenant_id AND other.email_key = lower(c.email)
      );
      UPDATE customers SET email = regexp_replace(email, '${INVISIBLE}', '', 'g') WHERE email ~ '${INVISIBLE}';
    `);
  }

  async down(): Promise<void> {}
}
