import type { MigrationInterface, QueryRunner } from 'typeorm';
import { REFER_TO_DEPARTMENT } from './0021-calls-of-deleted-departments';

/**
 * In databases of the development versions before 0.1.0 past calls refer to their department, too. Others have what this
 * migration makes since 0021.
 */
export class DepartmentsOfOpenCalls1780000000045 implements MigrationInterface {
  /** Each batch is committed, so that none blocks the calls in progress. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REFER_TO_DEPARTMENT);
    await runner.query(`
      DO $$
      DECLARE
        cleared integer;
      BEGIN
        -- The scope is needed because the policies apply to the owner, too.
        PERFORM set_config('app.system', 'on', false);
        LOOP
          UPDATE calls SET existing_department_id = NULL WHERE id IN (SELECT id FROM calls
            WHERE existing_department_id IS NOT NULL AND ended_at IS NOT NULL LIMIT 5000);
          GET DIAGNOSTICS cleared = ROW_COUNT;
          COMMIT;
          EXIT WHEN cleared = 0;
        END LOOP;
        PERFORM set_config('app.system', 'off', false);
      END $$`);
  }

  async down(): Promise<void> {
    // The schema before is the same.
  }
}
