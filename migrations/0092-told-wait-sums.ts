import type { MigrationInterface, QueryRunner } from 'typeorm';
import { count } from './0046-report-views';
import { LEFT_CALL_SUMS, replaceSumViews } from './0085-left-call-sums';

const TOLD_AND_ANSWERED =
  'c.started_at IS NOT NULL AND c.told_wait_time IS NOT NULL AND c.callback_status IS NULL';

/** Those of migration 85, with the errors of the estimates that customers were shown. */
export const TOLD_WAIT_SUMS: Record<string, string> = {
  ...LEFT_CALL_SUMS,
  wait_estimate_error: `COALESCE(sum(abs(c.told_wait_time - c.wait_time)) FILTER (WHERE ${TOLD_AND_ANSWERED}), 0)::int8`,
  told_calls: count(TOLD_AND_ANSWERED),
};

/** The reports judge only the estimates that customers were shown. */
export class ToldWaitSums1780000000092 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(replaceSumViews(TOLD_WAIT_SUMS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(replaceSumViews(LEFT_CALL_SUMS, { losesColumns: true }));
  }
}
