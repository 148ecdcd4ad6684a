import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lockDataDir } from '../../../src/platform/database/embedded/data-dir-lock';

const run = promisify(execFile);
export const REPOSITORY = join(__dirname, '..', '..', '..');

/** Of a process that is started on its own: Node keeps what it compiled for those that come after it, for this run. */
export const compileCache = (): Record<string, string> => ({
  NODE_COMPILE_CACHE: join(process.env.TEST_DATA_DIR ?? tmpdir(), 'compile-cache'),
});

/** Builds the service if its sources changed. Specs that run at the same time take turns: a build empties dist. */
export async function ensureBuilt(): Promise<void> {
  const lock = await takeTurn(join(REPOSITORY, 'node_modules', '.cache', 'video-queue-build'));
  try {
    const path = `${join(REPOSITORY, 'node_modules', '.bin')}:${process.env.PATH}`;
    const options = { cwd: REPOSITORY, env: { ...process.env, PATH: path } };
    await run(process.execPath, [join('scripts', 'build-if-needed.mjs')], options);
  } finally {
    await lock.release();
  }
}

async function takeTurn(folder: string): Promise<{ release(): Promise<void> }> {
  for (let tries = 0; ; tries++) {
    try {
      return await lockDataDir(folder);
    } catch (error) {
      if (tries > 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
