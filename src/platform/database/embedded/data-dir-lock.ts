import { link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { processStartTime } from './processes';

interface Holder {
  pid: number;
  running: boolean;
}

/** Another process of this machine has the folder. */
export class DataDirInUseError extends Error {}

/**
 * Reserves a data folder (created with mode 700 when missing) for this process until `release` or its end.
 * The lock of a process that died, however it died, is taken over; of several starts at the same moment
 * exactly one wins. Sees only processes of this machine (and this container).
 * @throws DataDirInUse naming the process that holds the folder
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
  let held = true;
  return {
    async release() {
      if (held) await rm(lock, { force: true });
      held = false;
    },
  };
}

/** Resolves to the running process that has the lock, or to undefined when it is ours now. */
async function acquire(lock: string): Promise<Holder | undefined> {
  for (;;) {
    if (await create(lock)) return undefined;
    const holder = await readHolder(lock);
    if (holder?.running) return holder;
    if (holder) await removeStale(lock);
  }
}

/**
 * Only who holds the lock's own lock may remove a stale one, and looks again first: otherwise a second start
 * that saw the same stale lock could remove the fresh one of the first. A crash in here leaves a stale lock one
 * level up, which the same steps clear.
 */
async function removeStale(lock: string): Promise<void> {
  const gate = `${lock}.takeover`;
  if (await acquire(gate)) {
    await delay(10);
    return;
  }
  try {
    const holder = await readHolder(lock);
    if (holder && !holder.running) await rm(lock, { force: true });
  } finally {
    await rm(gate, { force: true });
  }
}

/** A link appears whole or not at all, so nobody ever reads half a lock. */
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
    running: Boolean(startedAt) && (await processStartTime(Number(pid))) === startedAt,
  };
}
