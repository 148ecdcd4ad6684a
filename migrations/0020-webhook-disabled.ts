import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names the columns of a webhook that the service has disabled with the word that the API uses. */
export class WebhookDisabled1780000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks RENAME COLUMN switched_off_at TO disabled_at;
      ALTER TABLE webhooks RENAME COLUMN switched_off_reason TO disabled_reason;
      ALTER TABLE webhooks
        DROP CONSTRAINT webhooks_switched_off_reason_check,
        DROP CONSTRAINT webhooks_switched_off_check,
        ADD CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('failing', 'gone')),
        ADD CONSTRAINT webhooks_disabled_check CHECK
          ((disabled_at IS NULL) = (disabled_reason IS NULL) AND NOT (active AND disabled_at IS NOT NULL));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks RENAME COLUMN disabled_at TO switched_off_at;
      ALTER TABLE webhooks RENAME COLUMN disabled_reason TO switched_off_reason;
      ALTER TABLE webhooks
        DROP CONSTRAINT webhooks_disabled_reason_check,
        DROP CONSTRAINT webhooks_disabled_check,
        ADD CONSTRAINT webhooks_switched_off_reason_check CHECK (switched_off_reason IN ('failing', 'gone')),
        ADD CONSTRAINT webhooks_switched_off_check CHECK
          ((switched_off_at IS NULL) = (switched_off_reason IS NULL) AND NOT (active AND switched_off_at IS NOT NULL));
    `);
  }
}
