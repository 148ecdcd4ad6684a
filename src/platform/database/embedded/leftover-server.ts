import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** PostgreSQL's fast shutdown, which ends sessions and writes a checkpoint, and then its immediate one. */
const SHUTDOWNS: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
const SHUTDOWN_TIMEOUT_MS = 15_000;

/**
 * Stops the server that runs on the cluster, if any, and removes its pid file when the pid now belongs to another program,
 * because PostgreSQL would refuse to start. It never signals a process that is not a server of this folder. Removing the
 * file is safe: while sessions of the old server exist, PostgreSQL refuses to start because of the memory that they share.
 */
export async function stopLeftoverServer(clusterDir: string): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 0)) return;
  for (const signal of SHUTDOWNS) {
    if (await isServerRunning(pid, clusterDir)) signalProcess(pid, signal);
    const deadline = Date.now() + SHUTDOWN_TIMEOUT_MS;
    while (Date.now() < deadline && (await isServerRunning(pid, clusterDir))) await delay(25);
  }
  if (await isServerRunning(pid, clusterDir))
    throw new Error(`The PostgreSQL server on ${clusterDir} (process ${pid}) does not stop: end it.`);
  await rm(pidFile, { force: true });
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether the process is a server of this folder. */
export async function isServerRunning(pid: number, clusterDir: string): Promise<boolean> {
  const ps = () => promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]);
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    // macOS has no /proc, and Linux no such file of a process that has ended.
    .catch(async () => `${(await ps()).stdout.trim()} `)
    .catch(() => '');
  return command.replaceAll('\0', ' ').includes(`/postgres -D ${clusterDir} `);
}
