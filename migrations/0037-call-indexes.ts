import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Fewer writes for each change of a call, which adds an entry to almost every index of `calls`. One index serves both
 * lists by time and sums, and calls without an agent or a customer have no entry in the indexes of these. New indexes are
 * built before the old ones are dropped, so that calls can be read meanwhile.
 */
export class CallIndexes1780000000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX new_calls_inserted_idx ON calls (tenant_id, inserted_at, id)
        INCLUDE (status, department_id, user_id, wait_time, estimated_wait_time, duration, rating);
      CREATE INDEX new_calls_user_idx ON calls (tenant_id, user_id, inserted_at, id) WHERE user_id IS NOT NULL;
      CREATE INDEX new_calls_customer_idx ON calls (customer_id) WHERE customer_id IS NOT NULL;
      DROP INDEX calls_inserted_idx, calls_sums_idx, calls_user_idx, calls_customer_idx;
      ALTER INDEX new_calls_inserted_idx RENAME TO calls_inserted_idx;
      ALTER INDEX new_calls_user_idx RENAME TO calls_user_idx;
      ALTER INDEX new_calls_customer_idx RENAME TO calls_customer_idx;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_inserted_idx, calls_user_idx, calls_customer_idx;
      CREATE INDEX calls_inserted_idx ON calls (tenant_id, inserted_at, id);
      CREATE INDEX calls_sums_idx ON calls (tenant_id, inserted_at)
        INCLUDE (status, department_id, user_id, wait_time, estimated_wait_time, duration, rating);
      CREATE INDEX calls_user_idx ON calls (tenant_id, user_id, inserted_at, id);
      CREATE INDEX calls_customer_idx ON calls (customer_id);
    `);
  }
}
