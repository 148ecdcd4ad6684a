import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the last pause of the installation ended. What was stored until then does not count towards the limit of pending
 * deliveries, which are counted where it is checked.
 */
export class ResumedAt1780000000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE installation ADD resumed_at timestamptz(3);
      -- Counters that no release has had, with the triggers that kept them.
      DROP FUNCTION IF EXISTS count_webhook_backlogs CASCADE;
      DROP TABLE IF EXISTS webhook_backlogs;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installation DROP resumed_at');
  }
}
