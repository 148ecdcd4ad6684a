import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** The photos of users. They are stored in a column because they are small: the service re-encodes uploaded pictures. */
export class UserAvatars1780000000095 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN avatar_url text;
      CREATE TABLE user_avatars (
        user_id uuid CONSTRAINT user_avatars_pkey PRIMARY KEY
          CONSTRAINT user_avatars_user_id_fkey REFERENCES users ON DELETE CASCADE,
        tenant_id uuid NOT NULL CONSTRAINT user_avatars_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        content bytea NOT NULL,
        content_hash text NOT NULL,
        updated_at timestamptz(3) NOT NULL
      );
      CREATE INDEX user_avatars_tenant_id_idx ON user_avatars (tenant_id);
      ${tenantPolicy('user_avatars')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE user_avatars;
      ALTER TABLE users DROP COLUMN avatar_url;
    `);
  }
}
