import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

/** How long a migration waits for a lock. Everything that needs the same table waits behind it for as long. */
const LOCK_TIMEOUT_MS = 3000;
const OPTIONS = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c timezone=UTC';

/**
 * The URL and the startup options of the sessions that migrate. They have the rights of the login and no limit of time,
 * also where the login has one. Options in the URL are moved in front of these, which therefore take precedence.
 * @param lockTimeoutMs 0 for no limit
 */
export function migrationSettings(
  databaseUrl: string,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): { url: string; options: string } {
  const url = new URL(databaseUrl);
  const own = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return { url: url.toString(), options: `${own} ${OPTIONS} -c lock_timeout=${lockTimeoutMs}`.trim() };
}

/** How a migration reports to its caller, and how the caller ends it. */
export interface MigrationProgress {
  /** Gets a sentence for each step that took place, and for each wait. */
  log: (line: string) => void;
  /** Ends waits and retries; the step in progress is completed. */
  signal?: AbortSignal;
}

/** For tests and benchmarks, which prepare empty databases. */
export const SILENT: MigrationProgress = { log: () => {} };

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
