import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

const summed = (estimate: string) =>
  `status, department_id, user_id, wait_time, ${estimate}, duration, rating, started_at, end_reason, left_after`;
const indexOf = (estimate: string) => `calls (tenant_id, inserted_at, id) INCLUDE (${summed(estimate)})`;

/** Existing calls in batches, which are committed one by one. The scope is needed because the policies apply to the owner. */
const FILL = `
  DO $$
  DECLARE
    last uuid := '00000000-0000-0000-0000-000000000000';
    batch uuid[];
  BEGIN
    PERFORM set_config('app.system', 'on', false);
    LOOP
      batch := ARRAY(SELECT id FROM calls WHERE id > last ORDER BY id LIMIT 5000);
      EXIT WHEN cardinality(batch) = 0;
      UPDATE calls SET told_wait_time = estimated_wait_time
      WHERE id = ANY (batch) AND join_estimate IS NOT NULL AND told_wait_time IS NULL;
      last := batch[cardinality(batch)];
      COMMIT;
    END LOOP;
    PERFORM set_config('app.system', 'off', false);
  END $$`;

/**
 * The estimate that the customer was shown at the join; null if the page showed none: by it, reports judge the
 * estimates. The index of lists and sums gets what they read.
 */
export class ToldWaits1780000000091 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN IF NOT EXISTS told_wait_time integer');
    await runner.query(`
      CREATE OR REPLACE FUNCTION set_told_wait() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.told_wait_time := CASE WHEN NEW.join_estimate IS NOT NULL THEN NEW.estimated_wait_time END;
        RETURN NEW;
      END $$;
      CREATE OR REPLACE TRIGGER calls_set_told_wait BEFORE INSERT ON calls
        FOR EACH ROW EXECUTE FUNCTION set_told_wait()`);
    await runner.query(FILL);
    await buildIndex(runner, {
      name: 'new_calls_inserted_idx',
      on: indexOf('told_wait_time, callback_status'),
    });
    await runner.query(`
      DROP INDEX IF EXISTS calls_inserted_idx;
      ALTER INDEX new_calls_inserted_idx RENAME TO calls_inserted_idx`);
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_inserted_idx;
      DROP TRIGGER calls_set_told_wait ON calls;
      DROP FUNCTION set_told_wait;
      ALTER TABLE calls DROP COLUMN told_wait_time;
      CREATE INDEX calls_inserted_idx ON ${indexOf('estimated_wait_time')}`);
  }
}
