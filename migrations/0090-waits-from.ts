import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From when the wait of a call counts whose customer asked for a callback while the department was closed: the opening. Calls
 * that joined before this column began to wait at the join.
 */
export class WaitsFrom1780000000090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD waits_from timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP waits_from');
  }
}
