import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processCommandLine } from './processes';

/** After this long, in milliseconds, a fast shutdown becomes an immediate one. */
export const FAST_SHUTDOWN_TIMEOUT_MS = 15_000;

/**
 * A server outlives a service that was killed. Shuts down the one that still runs on the cluster, if any, and
 * removes a pid file whose pid is another program's by now, at which PostgreSQL would refuse to start. Never
 * touches a process that is not a server of this very folder. Removing the file is safe: sessions that should
 * still be there make PostgreSQL refuse all the same, by the shared memory they hold.
 */
export async function stopLeftoverServer(clusterDir: string): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 0)) return;
  if (await isServerRunning(pid, clusterDir)) await shutDown(pid, clusterDir);
  // A server that was killed stays a zombie until somebody reaps it, which in a container may be nobody.
  if (send(pid, 0)) await rm(pidFile, { force: true });
}

async function shutDown(pid: number, clusterDir: string): Promise<void> {
  const start = Date.now();
  let signal: NodeJS.Signals = 'SIGINT';
  send(pid, signal);
  while (await isServerRunning(pid, clusterDir)) {
    const waited = Date.now() - start;
    if (waited > FAST_SHUTDOWN_TIMEOUT_MS && signal === 'SIGINT') send(pid, (signal = 'SIGQUIT'));
    if (waited > 2 * FAST_SHUTDOWN_TIMEOUT_MS) {
      throw new Error(
        `The PostgreSQL server that still runs on ${clusterDir} (process ${pid}) does not stop: end it.`,
      );
    }
    await delay(25);
  }
}

/** Whether the process is a server of this very folder. */
export async function isServerRunning(pid: number, clusterDir: string): Promise<boolean> {
  return `${await processCommandLine(pid)} `.includes(`/postgres -D ${clusterDir} `);
}

/** Whether the pid is taken, be it by a zombie or by another user's process. Signal 0 only asks. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH' || (code === 'EPERM' && signal === 0)) return code === 'EPERM';
    throw error;
  }
}
