import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The space that a multipart upload reserves while it is in progress, and its user. Both are null for other objects, so
 * adding the columns does not rewrite the table. Leased objects are few and found by stored_objects_discard_idx.
 */
export class UploadReservations1780000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stored_objects ADD reserved_bytes bigint, ADD uploaded_by uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stored_objects DROP reserved_bytes, DROP uploaded_by');
  }
}
