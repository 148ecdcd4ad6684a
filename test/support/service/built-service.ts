import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lockDataDir } from '../../../src/platform/database/embedded/data-dir-lock';

const run = promisify(execFile);
const LOCK_RETRY_INTERVAL_MS = 100;
const MAX_LOCK_ATTEMPTS = 600;

/** The root folder of the repository. */
export const REPOSITORY = join(__dirname, '..', '..', '..');

/** Variables that let the processes of one test run share the compile cache of Node. */
export const compileCache = (): Record<string, string> => ({
  NODE_COMPILE_CACHE: join(process.env.TEST_DATA_DIR ?? tmpdir(), 'compile-cache'),
});

/** Builds the service if its sources changed. Concurrent specs build one after the other, because a build empties dist. */
export async function ensureBuilt(): Promise<void> {
  const lock = await acquireLock(join(REPOSITORY, 'node_modules', '.cache', 'video-queue-build'));
  try {
    const path = `${join(REPOSITORY, 'node_modules', '.bin')}:${process.env.PATH}`;
    const options = { cwd: REPOSITORY, env: { ...process.env, PATH: path } };
    await run(process.execPath, [join('scripts', 'build-if-needed.mjs')], options);
  } finally {
    await lock.release();
  }
}

async function acquireLock(folder: string): Promise<{ release(): Promise<void> }> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await lockDataDir(folder);
    } catch (error) {
      if (attempts > MAX_LOCK_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_INTERVAL_MS));
    }
  }
}
