import type { TestApp } from '../test-app';
import { until } from '../until';

/** Waits until `count` connections wait for a database lock, which proves that they have started. */
export async function waitForLockWaiters({ db }: TestApp, count = 1): Promise<void> {
  await until(async () => {
    const { rows } = await db.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length >= count;
  });
}
