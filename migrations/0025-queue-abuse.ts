import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a waiting customer joined from, and since when they have been absent. Both are cleared when the wait ends. */
export class QueueAbuse1780000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD client_address text, ADD absent_since timestamptz(3),
        ADD CONSTRAINT calls_waiting_check CHECK
          (status = 'queued' OR (client_address IS NULL AND absent_since IS NULL));
      SELECT set_config('app.system', 'on', true);
      UPDATE calls SET absent_since = now() WHERE status = 'queued' AND absence_deadline IS NOT NULL;
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE calls DROP client_address, DROP absent_since`);
  }
}
