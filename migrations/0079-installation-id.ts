import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names the installation in receipts, the same in a copy of the database. Null until the first receipt. */
export class InstallationId1780000000079 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installation ADD public_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installation DROP public_id');
  }
}
