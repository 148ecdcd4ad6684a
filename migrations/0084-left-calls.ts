import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

const FORMER_SUMMED =
  'status, department_id, user_id, wait_time, estimated_wait_time, duration, rating, started_at';

/**
 * How long the customer of a cancelled call had waited when they left, which reports compare with the service level: wait_time
 * ends with the first start, so it does not include the wait after a transfer. The index of lists and sums gets the columns
 * from which the reports count calls that were left or lost.
 */
export class LeftCalls1780000000084 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN IF NOT EXISTS left_after integer');
    // Repeated after the exchange, it would replace the new index by an equal one.
    await buildIndex(runner, {
      name: 'new_calls_inserted_idx',
      on: `calls (tenant_id, inserted_at, id) INCLUDE (${FORMER_SUMMED}, end_reason, left_after)`,
    });
    await runner.query(`
      DROP INDEX IF EXISTS calls_inserted_idx;
      ALTER INDEX new_calls_inserted_idx RENAME TO calls_inserted_idx`);
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_inserted_idx;
      ALTER TABLE calls DROP COLUMN left_after;
      CREATE INDEX calls_inserted_idx ON calls (tenant_id, inserted_at, id) INCLUDE (${FORMER_SUMMED})`);
  }
}
