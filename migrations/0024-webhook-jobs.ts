import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A deleted webhook is hidden until a job has deleted its deliveries. A delivery has the time of its last replay, so that
 * a job that runs twice replays it once.
 */
export class WebhookJobs1780000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks ADD deleted_at timestamptz(3),
        ADD CONSTRAINT webhooks_deleted_check CHECK (deleted_at IS NULL OR NOT active);
      ALTER TABLE webhook_deliveries ADD replayed_at timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM webhooks WHERE deleted_at IS NOT NULL;
      ALTER TABLE webhooks DROP deleted_at;
      ALTER TABLE webhook_deliveries DROP replayed_at;
    `);
  }
}
