import { CallSweeper } from '../../../src/calls/machine/call-sweeper';
import type { TestApp } from '../test-app';
import { until } from '../until';

/**
 * Lets every deadline that has passed take effect. The application sweeps by itself, too: a call that it is
 * settling just now is skipped here, so this waits until nothing is due any more.
 */
export async function sweep(test: TestApp): Promise<void> {
  await test.get(CallSweeper).sweep();
  await until(
    async () => {
      const { rows } = await test.db.query('SELECT FROM calls WHERE next_deadline <= $1', [test.clock.now()]);
      return rows.length === 0;
    },
    () => 'deadlines that have passed did not take effect',
  );
}
