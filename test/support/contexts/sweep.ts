import { CallSweeper } from '../../../src/calls/machine/call-sweeper';
import type { TestApp } from '../test-app';
import { until } from '../until';

/**
 * Applies all deadlines that have passed. Calls that the application's own sweep has locked are skipped, so this waits
 * until no deadline is due.
 */
export async function sweep(test: TestApp): Promise<void> {
  await test.get(CallSweeper).sweep();
  let due: unknown[] = [];
  await until(
    async () => {
      const { rows } = await test.db.query(
        `SELECT id, status, wait_deadline, absence_deadline, ring_deadline, customer_grace_deadline, agent_grace_deadline,
           priority_deadline
         FROM calls WHERE next_deadline <= $1`,
        [test.clock.now()],
      );
      due = rows;
      return due.length === 0;
    },
    () => `deadlines that have passed did not take effect: ${JSON.stringify(due)}`,
  );
}
