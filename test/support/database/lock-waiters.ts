import type { TestApp } from '../test-app';
import { until } from '../until';

/** How many connections wait for a database lock. */
export async function countLockWaiters({ db }: TestApp): Promise<number> {
  const { rows } = await db.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}

/** Waits until `count` connections wait for a database lock, which proves that they have started. */
export async function waitForLockWaiters(test: TestApp, count = 1): Promise<void> {
  await until(async () => (await countLockWaiters(test)) >= count);
}
