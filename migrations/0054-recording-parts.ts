import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The parts that a recording is joined of, in order: `[{"part": 1, "duration": 4000}]`, in milliseconds. The uploads of
 * one agent of a call have one joined recording at most. It is identified by them, and other recordings by their content.
 */
export class RecordingParts1780000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE recordings ADD parts jsonb;
      CREATE UNIQUE INDEX recordings_parts_key ON recordings (tenant_id, call_id, uploaded_by)
        WHERE parts IS NOT NULL;
      ALTER TABLE recordings DROP CONSTRAINT recordings_content_key;
      CREATE UNIQUE INDEX recordings_content_key ON recordings (call_id, sha256) WHERE parts IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE recordings DROP parts;
      ALTER TABLE recordings ADD CONSTRAINT recordings_content_key UNIQUE (call_id, sha256);
    `);
  }
}
