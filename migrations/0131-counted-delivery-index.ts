import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/** The deliveries that count towards the limit of a webhook. The policy of the table reads tenant_id, so it is part of the index. */
export class CountedDeliveryIndex1780000000131 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'webhook_deliveries_counted_idx',
      on: `webhook_deliveries (tenant_id, webhook_id, inserted_at) WHERE status = 'pending' AND replayed_at IS NULL`,
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_counted_idx');
  }
}
