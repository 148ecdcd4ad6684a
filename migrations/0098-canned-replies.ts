import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Texts that the staff of a company insert into notes and chat messages. */
export class CannedReplies1780000000098 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE canned_replies (
        id uuid CONSTRAINT canned_replies_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT canned_replies_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        title text NOT NULL,
        text text NOT NULL,
        shortcut text,
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX canned_replies_shortcut_key ON canned_replies (tenant_id, shortcut);
      CREATE INDEX canned_replies_title_idx ON canned_replies (tenant_id, title COLLATE natural_language, id);
      ${tenantPolicy('canned_replies')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE canned_replies`);
  }
}
