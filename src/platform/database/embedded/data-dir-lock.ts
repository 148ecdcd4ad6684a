import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process of this machine uses the folder. */
export class DataDirInUseError extends Error {}

/** SQLITE_BUSY: another connection has the lock. */
const BUSY = 5;
/** Without a reference, the garbage collector would close them, which releases their locks. */
const held = new Set<DatabaseSync>();
/** How long to wait for the reader of a process id. */
const READER_TIMEOUT_MS = 1000;

/**
 * Reserves a data folder (created with mode 700 when it is missing) for this process until `release` or its end. The lock is
 * SQLite's on a file of the folder, because the system takes that from a process that ends in any way. The file stays: a process
 * that removed it could remove the one that another has just locked. It detects only processes of this machine and this
 * container.
 * @throws DataDirInUseError that names the process that holds the folder
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dataDir);
  const file = new DatabaseSync(join(folder, 'lock.sqlite'));
  try {
    file.exec('PRAGMA journal_mode = MEMORY');
    // A writer: others can still read the number.
    file.exec('BEGIN IMMEDIATE');
    file.exec(`PRAGMA busy_timeout = ${READER_TIMEOUT_MS}; PRAGMA user_version = ${process.pid}; COMMIT`);
    file.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE');
  } catch (error) {
    const holder = (error as { errcode?: number }).errcode === BUSY && readVersion(file);
    file.close();
    if (holder === false) throw error;
    throw new DataDirInUseError(
      `DATA_DIR ${folder} is in use by another running service (process ${holder}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  }
  held.add(file);
  return {
    release: async () => {
      if (held.delete(file)) file.close();
    },
  };
}

const readVersion = (file: DatabaseSync): string =>
  String(file.prepare('PRAGMA user_version').get()?.['user_version']);
