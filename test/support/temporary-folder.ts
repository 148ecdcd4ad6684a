import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../src/platform/database/embedded/data-dir-lock';
import { stopLeftover } from '../../src/platform/database/embedded/leftover-server';

/** The file system in memory that Linux has. */
const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;
const PREFIX = 'video-queue-run-';
/** A younger folder may belong to a run that has not locked it yet. */
const MIN_LEFTOVER_AGE_MS = 60_000;

export interface TemporaryFolder {
  path: string;
  /** Where the embedded PostgreSQL of the run has its data. */
  dataDir: string;
  /** Removes the folder and all that is in it. */
  remove(): Promise<void>;
}

/**
 * Makes a folder for all files of one test run, after removing those of runs that were killed. It is in memory where
 * there is room, unless TMPDIR names another place: on some disks a copy of the template database takes half a second
 * of system time, in memory it takes 20 ms.
 */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const parent = process.env.TMPDIR || !hasRoomInMemory() ? tmpdir() : MEMORY;
  await removeLeftovers(parent);
  const path = mkdtempSync(join(parent, PREFIX));
  const lock = await lockDataDir(path);
  // PostgreSQL may run as another user, who has to reach its files below.
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

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= MIN_FREE_BYTES;
}

/** A killed run leaves its PostgreSQL server running and its files behind, but nobody holds its lock. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (!name.startsWith(PREFIX) || !isOldAndOurs(path)) continue;
    const lock = await lockDataDir(path).catch(() => undefined);
    if (!lock) continue;
    await stopLeftover(join(dataDirOf(path), 'postgres'));
    rmSync(path, { recursive: true, force: true });
  }
}

function isOldAndOurs(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.uid === process.getuid?.() && Date.now() - (found?.birthtimeMs ?? 0) > MIN_LEFTOVER_AGE_MS;
}
