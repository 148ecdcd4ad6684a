import type { TestApp } from '../test-app';
import { until } from '../until';

/** How many connections wait for a database lock. */
export async function countLockWaiters({ db }: TestApp): Promise<number> {
  const { rows } = await db.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}

/**
 * How many connections wait for a lock of the one with this process id, directly or because they wait for a connection
 * that does. Other work in the background may wait for other locks.
 */
export async function countWaitersFor({ db }: TestApp, pid: number): Promise<number> {
  const { rows } = await db.query(
    `WITH RECURSIVE blocked AS (
       SELECT $1::int AS pid
       UNION
       SELECT a.pid FROM blocked b JOIN pg_stat_activity a ON b.pid = ANY (pg_blocking_pids(a.pid)))
     SELECT FROM blocked WHERE pid <> $1`,
    [pid],
  );
  return rows.length;
}

/** Waits until `count` connections wait for a database lock, which proves that they have started. */
export async function waitForLockWaiters(test: TestApp, count = 1): Promise<void> {
  await until(async () => (await countLockWaiters(test)) >= count);
}
