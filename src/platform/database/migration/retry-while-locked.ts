import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { MigrationProgress } from './migration-progress';

/** lock_not_available and deadlock_detected. */
const LOCK_FAILURES = new Set<string | undefined>(['55P03', '40P01']);
/** Two processes that change the same row of the catalog at the same time: an internal error with this text. */
const CATALOG_RACE = 'tuple concurrently updated';

const MAX_DELAY_MS = 15_000;
const GIVE_UP_AFTER_MS = 600_000;

/**
 * Calls `work` until it no longer fails for a lock that another session holds, with pauses of 1, 2, 4 … 15 s in which the
 * statements that waited behind it are executed.
 * @param client reports the oldest transactions, which probably hold the lock
 * @throws Error after 10 minutes, what `work` throws for other reasons, and the signal's reason
 */
export async function retryWhileLocked<T>(
  client: Client,
  { log, signal }: MigrationProgress,
  work: () => Promise<T>,
): Promise<T> {
  const start = Date.now();
  for (let delayMs = 1000; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      const sessions = await oldestTransactions(client);
      if (Date.now() - start > GIVE_UP_AFTER_MS) {
        throw new Error(`A lock was not available for 10 minutes. ${sessions}`, { cause: error });
      }
      log(`A lock is held by another session; trying again in ${delayMs / 1000} s. ${sessions}`);
      await delay(delayMs, undefined, { signal });
    }
  }
}

function isLockFailure(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return LOCK_FAILURES.has(code) || (code === 'XX000' && message.includes(CATALOG_RACE));
}

/** The database does not report who held the lock once the statement has failed. */
async function oldestTransactions(client: Client): Promise<string> {
  const { rows } = await client.query<{ session: string }>(
    `SELECT format('process %s (%s, %s) since %s s', pid, COALESCE(NULLIF(application_name, ''), usename), state,
       extract(epoch FROM clock_timestamp() - xact_start)::int) AS session
     FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < clock_timestamp() - interval '2 s'
       AND application_name <> 'video-call-queue migration lock'
     ORDER BY xact_start LIMIT 3`,
  );
  if (rows.length === 0) return 'No other transaction is older than 2 s.';
  return `The oldest transactions are: ${rows.map(({ session }) => session).join('; ')}.`;
}
