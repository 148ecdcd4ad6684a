import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/** A repeated upload of a file with the same Idempotency-Key is answered with the file of the first one. */
export class RepeatedFileUploads1780000000081 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_files ADD COLUMN IF NOT EXISTS idempotency_key text');
    await buildIndex(runner, {
      name: 'call_files_idempotency_key',
      isUnique: true,
      on: 'call_files (tenant_id, call_id, uploaded_by, idempotency_key) WHERE idempotency_key IS NOT NULL',
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_files DROP COLUMN idempotency_key');
  }
}
