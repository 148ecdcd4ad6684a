import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process of this machine uses the folder. */
export class DataDirInUseError extends Error {}

/** SQLITE_BUSY: another connection has the lock. */
const BUSY = 5;

/**
 * Reserves a data folder (created with mode 700 when it is missing) for this process until `release` or its end. The lock is
 * SQLite's on a file of the folder, which the system takes from a process that ends in any way; it detects only processes of this
 * machine and container. The file stays, because another process may have just locked it. Keep what is returned: the garbage
 * collector would release the lock with it.
 * @throws DataDirInUseError that names the process that holds the folder
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dataDir);
  const file = new DatabaseSync(join(folder, 'lock.sqlite'));
  try {
    // As a writer, so that others can read the number of the process; the timeout is for them.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA busy_timeout = 1000');
    file.exec(`PRAGMA user_version = ${process.pid}; COMMIT; PRAGMA busy_timeout = 0; BEGIN IMMEDIATE`);
  } catch (error) {
    const isHeld = (error as { errcode?: number }).errcode === BUSY;
    const holder = isHeld ? String(file.prepare('PRAGMA user_version').get()?.['user_version']) : '';
    file.close();
    if (!isHeld) throw error;
    throw new DataDirInUseError(
      `DATA_DIR ${folder} is in use by another running service (process ${holder}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  }
  return {
    release: async () => {
      if (file.isOpen) file.close();
    },
  };
}
