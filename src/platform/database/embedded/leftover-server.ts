import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processCommandLine } from './processes';

/** A fast shutdown that takes longer becomes an immediate one. */
export const FAST_SHUTDOWN_TIMEOUT_MS = 15_000;

/**
 * Stops the server that a killed service left running on the cluster, if any, and removes its pid file when the pid
 * now belongs to another program, because PostgreSQL would refuse to start. It never signals a process that is not a
 * server of this folder. Removing the file is safe: while sessions of the old server exist, PostgreSQL refuses to
 * start because of the shared memory that they hold.
 */
export async function stopLeftoverServer(clusterDir: string): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 0)) return;
  if (await isServerRunning(pid, clusterDir)) await shutDown(pid, clusterDir);
  // A killed server stays a zombie until its parent reaps it; in a container it may have no such parent.
  if (send(pid, 0)) await rm(pidFile, { force: true });
}

async function shutDown(pid: number, clusterDir: string): Promise<void> {
  const start = Date.now();
  let signal: NodeJS.Signals = 'SIGINT';
  send(pid, signal);
  while (await isServerRunning(pid, clusterDir)) {
    const elapsed = Date.now() - start;
    if (elapsed > FAST_SHUTDOWN_TIMEOUT_MS && signal === 'SIGINT') send(pid, (signal = 'SIGQUIT'));
    if (elapsed > 2 * FAST_SHUTDOWN_TIMEOUT_MS) {
      throw new Error(
        `The PostgreSQL server that still runs on ${clusterDir} (process ${pid}) does not stop: end it.`,
      );
    }
    await delay(25);
  }
}

/** Whether the process is a server of this folder. */
export async function isServerRunning(pid: number, clusterDir: string): Promise<boolean> {
  return `${await processCommandLine(pid)} `.includes(`/postgres -D ${clusterDir} `);
}

/** Whether a process has the pid, be it a zombie or another user's. Signal 0 only checks. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH' || (code === 'EPERM' && signal === 0)) return code === 'EPERM';
    throw error;
  }
}
