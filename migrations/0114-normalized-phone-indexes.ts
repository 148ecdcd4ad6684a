import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/** Customers are found and grouped by the first index; the second one has only those whose phone is still to be normalized. */
export class NormalizedPhoneIndexes1780000000114 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'customers_normalized_phone_idx',
      on: 'customers (tenant_id, phone_normalized, inserted_at, id)',
    });
    await buildIndex(runner, {
      name: 'customers_typed_phone_idx',
      on: 'customers (id) WHERE phone IS NOT NULL AND phone_normalized IS NULL',
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX customers_typed_phone_idx, customers_normalized_phone_idx');
  }
}
