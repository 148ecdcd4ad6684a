import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../platform/config/config';
import { DataDirInUseError, lockDataDir } from '../platform/database/embedded/data-dir-lock';
import { findRunningServer, startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres';

const DATABASE_NAME = 'video_queue';
/** How long to wait for a service that starts or stops, or for another command. */
const LOCK_TIMEOUT_MS = 30_000;

type Lock = Awaited<ReturnType<typeof lockDataDir>>;

export interface OpenDatabase {
  url: string;
  close(): Promise<void>;
}

/**
 * Opens the service's database: DATABASE_URL, else the embedded one in DATA_DIR. For the latter it uses the server of
 * the running service, or starts one until `close`.
 * @throws DataDirInUseError if another process holds the folder and runs no server in time
 */
export async function openDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenDatabase> {
  if (databaseUrl) return { url: databaseUrl, close: async () => {} };
  const folder = resolve(dataDir);
  // One command at a time: otherwise a command could use the server that another one stops when it ends.
  const turn = await retryWhileInUse(() => lockDataDir(join(folder, 'operator')));
  try {
    const found = await retryWhileInUse(() => lockOrFindServer(folder));
    if (typeof found !== 'string') return await startServer(folder, [found, turn]);
    await turn.release();
    return { url: found, close: async () => {} };
  } catch (error) {
    await turn.release();
    throw error;
  }
}

/** @returns the folder's lock, or the URL of the server whose service holds it */
async function lockOrFindServer(folder: string): Promise<Lock | string> {
  try {
    return await lockDataDir(folder);
  } catch (error) {
    const url = error instanceof DataDirInUseError && (await findRunningServer(folder, DATABASE_NAME));
    if (url) return url;
    throw error;
  }
}

async function retryWhileInUse<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || Date.now() > deadline) throw error;
      await delay(50);
    }
  }
}

async function startServer(dataDir: string, locks: Lock[]): Promise<OpenDatabase> {
  const starting = startEmbeddedPostgres(dataDir, DATABASE_NAME);
  const close = async () => {
    const server = await starting.catch(() => undefined);
    await server?.stop();
    for (const lock of locks) await lock.release();
  };
  closeOnSignals(close);
  try {
    return { url: (await starting).url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stops the server if the command is interrupted; open transactions are rolled back. */
function closeOnSignals(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      void close().finally(() => process.exit());
    });
  }
}
