import { link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { processStartTime } from './processes';

interface Holder {
  pid: number;
  isRunning: boolean;
}

/** Another process of this machine uses the folder. */
export class DataDirInUseError extends Error {}

/**
 * Reserves a data folder (created with mode 700 when it is missing) for this process until `release` or its end. The
 * lock of a process that has ended in any way is taken over; when several processes start at the same time, exactly
 * one gets the lock. It detects only processes of this machine and this container.
 * @throws DataDirInUseError that names the process that holds the folder
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dataDir);
  const lock = join(folder, 'service.lock');
  const holder = await acquire(lock);
  if (holder) {
    throw new DataDirInUseError(
      `DATA_DIR ${folder} is in use by another running service (process ${holder.pid}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  }
  let isHeld = true;
  return {
    async release() {
      if (isHeld) await rm(lock, { force: true });
      isHeld = false;
    },
  };
}

/** @returns the running process that holds the lock; undefined when this process has acquired it */
async function acquire(lock: string): Promise<Holder | undefined> {
  for (;;) {
    if (await create(lock)) return undefined;
    const holder = await readHolder(lock);
    if (holder?.isRunning) return holder;
    if (holder) await removeStale(lock);
  }
}

/**
 * A stale lock is removed only by the holder of a second lock, which checks it again first: otherwise a process that
 * saw the same stale lock could remove the new lock of another. A crash in between leaves the second lock stale,
 * which is removed in the same way.
 */
async function removeStale(lock: string): Promise<void> {
  const gate = `${lock}.takeover`;
  if (await acquire(gate)) {
    await delay(10);
    return;
  }
  try {
    const holder = await readHolder(lock);
    if (holder && !holder.isRunning) await rm(lock, { force: true });
  } finally {
    await rm(gate, { force: true });
  }
}

/** Creating a link is atomic, so the lock is never read half written. */
async function create(lock: string): Promise<boolean> {
  const draft = `${lock}.${randomUUID()}`;
  try {
    await writeFile(draft, `${process.pid}\n${await processStartTime(process.pid)}\n`, { mode: 0o600 });
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readHolder(lock: string): Promise<Holder | undefined> {
  const text = await readFile(lock, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [pid, startedAt] = text.split('\n');
  return {
    pid: Number(pid),
    isRunning: Boolean(startedAt) && (await processStartTime(Number(pid))) === startedAt,
  };
}
