import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a CHECK for new rows: the others are valid, because the former one held for them. */
const allow = (statuses: string) => `
  ALTER TABLE subscriptions DROP CONSTRAINT subscriptions_status_check;
  ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_status_check CHECK (status IN (${statuses})) NOT VALID;
`;

/**
 * Spells `cancelled` as calls, links and appointments do. `canceled` stays possible until the next release: instances of the
 * former one write it.
 */
export class CancelledSubscriptions1780000000108 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${allow(`'pending', 'active', 'past_due', 'cancelled', 'canceled'`)}
      -- Set because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE subscriptions SET status = 'cancelled' WHERE status = 'canceled';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      UPDATE subscriptions SET status = 'canceled' WHERE status = 'cancelled';
      SELECT set_config('app.system', 'off', true);
      ${allow(`'pending', 'active', 'past_due', 'canceled'`)}
    `);
  }
}
