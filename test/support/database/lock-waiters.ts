import type { TestApp } from '../test-app';
import { until } from '../until';

/** Until so many wait for a lock of the database: by then each of them has begun. */
export async function waitForLockWaiters({ db }: TestApp, count = 1): Promise<void> {
  await until(async () => {
    const { rows } = await db.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length >= count;
  });
}
