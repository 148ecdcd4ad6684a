import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The parts that a recording is joined of, in order: `[{"part": 1, "duration": 4000}]`, in milliseconds. The uploads of
 * one agent of a call have one joined recording at most.
 */
export class RecordingParts1780000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE recordings ADD parts jsonb;
      CREATE UNIQUE INDEX recordings_parts_key ON recordings (tenant_id, call_id, uploaded_by)
        WHERE parts IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recordings DROP parts');
  }
}
