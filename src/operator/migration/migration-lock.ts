import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { MigrationProgress } from './migration-session';
import { migrationSettings } from './migration-session';

/** The keys of the advisory locks that a migrator holds; arbitrary numbers. */
const LOCK = 7_304_512;
/** That of the former release, whose instances migrate at each start. */
const FORMER_LOCK = 7_304_511;

const MIN_POLL_INTERVAL_MS = 500;
/** After this time a line of progress explains the wait. */
const QUIET_WAIT_MS = 5000;

/**
 * Calls `work` while no other process migrates. Others poll for the lock instead of waiting in the database: a session that
 * waits there has a snapshot, for which CREATE INDEX CONCURRENTLY waits in turn.
 * @param work gets a function that releases the lock of the former release. Call it before an index is built
 *   concurrently, because instances of that release do wait in the database
 * @throws what `work` throws, and an error if the connection that holds the lock is lost
 */
export async function withMigrationLock<T>(
  url: string,
  progress: MigrationProgress,
  work: (releaseFormerLock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lock = await acquire(url, LOCK, progress);
  try {
    const former = await acquire(url, FORMER_LOCK, progress);
    try {
      return await Promise.race([work(former.release), lock.lost, former.lost]);
    } finally {
      await former.release();
    }
  } finally {
    await lock.release();
  }
}

interface HeldLock {
  /** Rejects when the connection is lost. */
  lost: Promise<never>;
  release: () => Promise<void>;
}

async function acquire(url: string, key: number, progress: MigrationProgress): Promise<HeldLock> {
  const settings = migrationSettings(url);
  const client = new Client({
    connectionString: settings.url,
    options: settings.options,
    application_name: 'video-call-queue migration lock',
  });
  const lost = new Promise<never>((_, reject) => {
    client.on('error', (error) => reject(new Error(`The migration lock was lost: ${error.message}`)));
  });
  // The connection may be lost while no caller awaits this promise.
  lost.catch(() => {});
  await client.connect();
  let ended: Promise<void> | undefined;
  const release = (): Promise<void> => (ended ??= client.end());
  try {
    await poll(client, key, progress);
    return { lost, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * The lock belongs to a transaction, which is open until the connection ends: that of a session would stay with a
 * connection of a pooler, and block all later migrations.
 */
async function poll(client: Client, key: number, { log, signal }: MigrationProgress): Promise<void> {
  let quietUntil = Date.now() + QUIET_WAIT_MS;
  for (;;) {
    signal?.throwIfAborted();
    await client.query('BEGIN');
    // Without parameters: a statement with parameters leaves a snapshot in the transaction, for which CREATE INDEX
    // CONCURRENTLY would wait.
    const { rows } = await client.query<{ is_held: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${key}) AS is_held`,
    );
    if (rows[0]?.is_held) return;
    await client.query('ROLLBACK');
    if (Date.now() > quietUntil) {
      log('Waiting for another process that migrates the database.');
      quietUntil = Infinity;
    }
    await delay(MIN_POLL_INTERVAL_MS * (1 + Math.random()), undefined, { signal });
  }
}
