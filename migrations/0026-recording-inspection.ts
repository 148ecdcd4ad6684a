import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recordings whose type and duration a job still has to read. */
export class RecordingInspection1780000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE recordings ADD inspection_pending boolean NOT NULL DEFAULT false;
      CREATE INDEX recordings_inspection_idx ON recordings (tenant_id) WHERE inspection_pending;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE recordings DROP inspection_pending`);
  }
}
