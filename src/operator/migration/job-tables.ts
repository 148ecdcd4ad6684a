import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig, Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import type { MigrationProgress } from './migration-session';
import { migrationSettings } from './migration-session';
import { retryWhileLocked } from './migration-session';

/** pg-boss waits for locks of its tables for 30 s, in which no job could be written. */
const LONG_LOCK_TIMEOUT = 'SET LOCAL lock_timeout = 30000';
const SHORT_LOCK_TIMEOUT = 'SET LOCAL lock_timeout = 3000';

/** pg-boss starts one build each 10 s, its shortest interval. */
const BUILD_INTERVAL_SECONDS = 10;
const STATUS_INTERVAL_MS = 500;
const MAX_BUILD_ATTEMPTS = 3;

/**
 * Creates the tables of the job queue or brings them to this version, then waits until its indexes are built: pg-boss
 * builds those of large tables concurrently, after the migration itself.
 * @param onTables called when the tables are complete, before their indexes are
 * @throws Error if a build fails three times
 */
export async function installJobTables(
  url: string,
  client: Client,
  progress: MigrationProgress,
  onTables: () => Promise<void>,
): Promise<void> {
  const connection = (lockTimeoutMs?: number): ClientConfig => {
    const { url: connectionString, options } = migrationSettings(url, lockTimeoutMs);
    return { connectionString, options, application_name: 'video-call-queue migration' };
  };
  const pool = new Pool({ ...connection(), max: 2 });
  pool.on('error', () => {
    // The next query reports it.
  });
  const executeSql = async (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    // A concurrent build waits for all older transactions. That may take long, but blocks no other session.
    if (text.includes('CONCURRENTLY')) return runAlone(connection(0), text);
    return retryWhileLocked(client, progress, () => runInPool(pool, text, values));
  };
  const boss = new PgBoss({
    db: { executeSql },
    supervise: false,
    schedule: false,
    bamIntervalSeconds: BUILD_INTERVAL_SECONDS,
  });
  const failures = watchBuilds(boss, progress);
  try {
    await releaseInterruptedBuilds(client);
    await boss.start();
    await onTables();
    await waitForBuilds(boss, failures, progress);
    // Instances of the service wait for 23 days from now before they look for builds.
    await client.query('UPDATE pgboss.version SET bam_on = now()');
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

/** Only one process migrates, so these builds are of one that was killed. pg-boss would wait for them for 5 minutes. */
async function releaseInterruptedBuilds(client: Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT FROM pg_tables WHERE schemaname = 'pgboss' AND tablename = 'bam'`,
  );
  if (rows.length > 0)
    await client.query(`UPDATE pgboss.bam SET status = 'failed' WHERE status = 'in_progress'`);
}

async function runInPool(pool: Pool, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const session = await pool.connect();
  try {
    return await session.query(text.replace(LONG_LOCK_TIMEOUT, SHORT_LOCK_TIMEOUT), values);
  } catch (error) {
    // The text may have begun a transaction.
    await session.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    session.release();
  }
}

async function runAlone(connection: ClientConfig, text: string): Promise<{ rows: unknown[] }> {
  const session = new Client(connection);
  session.on('error', () => {});
  await session.connect();
  try {
    return await session.query(text);
  } finally {
    await session.end();
  }
}

interface Failures {
  attempts: Map<string, number>;
  /** The first build that has failed too often. */
  final?: Error;
}

function watchBuilds(boss: PgBoss, { log }: MigrationProgress): Failures {
  const failures: Failures = { attempts: new Map() };
  // Without a listener an 'error' event would end the process. start() rejects with the same error, and builds report theirs.
  boss.on('error', () => {});
  boss.on('bam', ({ id, name, status, error }) => {
    if (status === 'completed') log(`Built an index of the job queue (${name}).`);
    if (status !== 'failed') return;
    const attempts = (failures.attempts.get(id) ?? 0) + 1;
    failures.attempts.set(id, attempts);
    if (attempts >= MAX_BUILD_ATTEMPTS) {
      failures.final ??= new Error(`The index of the job queue could not be built (${name}): ${error}`);
    }
  });
  return failures;
}

async function waitForBuilds(
  boss: PgBoss,
  failures: Failures,
  { log, signal }: MigrationProgress,
): Promise<void> {
  let last = 0;
  for (;;) {
    signal?.throwIfAborted();
    if (failures.final) throw failures.final;
    const statuses = await boss.getBamStatus();
    const pending = statuses
      .filter(({ status }) => status !== 'completed')
      .reduce((sum, { count }) => sum + count, 0);
    if (pending === 0) return;
    if (pending !== last) {
      log(`Indexes of the job queue to build: ${pending}. One is started each ${BUILD_INTERVAL_SECONDS} s.`);
    }
    last = pending;
    await delay(STATUS_INTERVAL_MS, undefined, { signal });
  }
}
