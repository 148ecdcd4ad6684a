import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../src/platform/database/embedded/data-dir-lock';
import { stopLeftoverServer } from '../../src/platform/database/embedded/embedded-postgres';

/** The in-memory file system of Linux. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;
const PREFIX = 'video-queue-tests-';
/** A newer folder may belong to a run that has not locked it yet. */
const MIN_LEFTOVER_AGE_MS = 60_000;

export interface TemporaryFolder {
  path: string;
  /** The data folder of the run's embedded PostgreSQL. */
  dataDir: string;
  /** Removes the folder with its content. */
  remove(): Promise<void>;
}

/**
 * Creates a folder for all files of one test run, and removes those of killed runs. It is in memory if there is enough
 * space and TMPDIR is not set: a copy of the template database takes 20 ms in memory, but half a second of system time
 * on some disks.
 */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const parent = process.env.TMPDIR || !hasSpaceInMemory() ? tmpdir() : MEMORY_FOLDER;
  await removeLeftovers(parent);
  const path = mkdtempSync(join(parent, PREFIX));
  const lock = await lockDataDir(path);
  // PostgreSQL may run as another user, who needs access to the files below.
  chmodSync(path, 0o711);
  return {
    path,
    dataDir: dataDirOf(path),
    async remove() {
      await lock.release();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

const dataDirOf = (path: string) => join(path, 'data');

function hasSpaceInMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return Math.min(bavail * bsize, process.availableMemory()) >= MIN_FREE_BYTES;
}

/** Removes the PostgreSQL server and the files of killed runs. A killed run holds no lock. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (!name.startsWith(PREFIX) || !isOldAndOwn(path)) continue;
    const lock = await lockDataDir(path).catch(() => undefined);
    if (!lock) continue;
    await stopLeftoverServer(join(dataDirOf(path), 'postgres'));
    rmSync(path, { recursive: true, force: true });
  }
}

function isOldAndOwn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.uid === process.getuid?.() && Date.now() - (found?.birthtimeMs ?? 0) > MIN_LEFTOVER_AGE_MS;
}
