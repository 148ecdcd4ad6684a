import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files count towards the storage of a plan, as a running total; unfinished uploads are summed up. */
export class StorageQuota1780000000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE storage_usage ADD file_bytes bigint NOT NULL DEFAULT 0
        CONSTRAINT storage_usage_file_bytes_check CHECK (file_bytes >= 0);
      -- Set because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      INSERT INTO storage_usage AS u (tenant_id, file_bytes)
        SELECT tenant_id, sum(size) FROM call_files GROUP BY tenant_id
        ON CONFLICT ON CONSTRAINT storage_usage_pkey DO UPDATE SET file_bytes = EXCLUDED.file_bytes;
      CREATE INDEX recording_uploads_unfinished_idx ON recording_uploads (tenant_id) WHERE finished_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX recording_uploads_unfinished_idx;
      ALTER TABLE storage_usage DROP file_bytes;
    `);
  }
}
