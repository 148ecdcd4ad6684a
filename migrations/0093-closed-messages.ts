import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a department says to customers while it is closed. */
export class ClosedMessages1780000000093 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE departments ADD COLUMN closed_message text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE departments DROP COLUMN closed_message');
  }
}
