import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../platform/config/config';
import { DataDirInUseError, lockDataDir } from '../platform/database/embedded/data-dir-lock';
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres';
import { findRunningServer } from '../platform/database/embedded/running-server';

const DATABASE = 'video_queue';
/** How long, in milliseconds, a service that starts or stops, or another command, is waited for. */
const PATIENCE = 30_000;

type Lock = Awaited<ReturnType<typeof lockDataDir>>;

export interface OpenDatabase {
  url: string;
  close(): Promise<void>;
}

/**
 * The database that the service works with: DATABASE_URL, else the embedded one in DATA_DIR. That is the
 * running service's server, or one that is started until `close`.
 * @throws DataDirInUseError when whoever has the folder offers no server in time
 */
export async function openDatabase({ databaseUrl, dataDir }: Config): Promise<OpenDatabase> {
  if (databaseUrl) return { url: databaseUrl, close: async () => {} };
  const folder = resolve(dataDir);
  // Commands take turns: one that found another's server would lose it when the other ends.
  const turn = await patiently(() => lockDataDir(join(folder, 'operator')));
  try {
    const found = await patiently(() => lockOrFindServer(folder));
    if (typeof found !== 'string') return await startServer(folder, [found, turn]);
    await turn.release();
    return { url: found, close: async () => {} };
  } catch (error) {
    await turn.release();
    throw error;
  }
}

/** @returns the folder's lock, or the address of the server of the service that has it */
async function lockOrFindServer(folder: string): Promise<Lock | string> {
  try {
    return await lockDataDir(folder);
  } catch (error) {
    const url = error instanceof DataDirInUseError && (await findRunningServer(folder, DATABASE));
    if (url) return url;
    throw error;
  }
}

async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE;
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
  const starting = startEmbeddedPostgres({ dataDir, database: DATABASE });
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

/** The server would outlive a command that is cut short. What was not committed is undone with it. */
function closeOnSignals(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      void close().finally(() => process.exit());
    });
  }
}
