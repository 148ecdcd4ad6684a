import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A data folder for a service with an embedded database, with access to the database server from outside. */
export class DataDir {
  readonly path = mkdtempSync(join(tmpdir(), 'video-queue-service-'));

  /** The pid of the running or killed database server; undefined after a graceful stop. */
  get postmaster(): number | undefined {
    const file = join(this.path, 'postgres', 'postmaster.pid');
    return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
  }

  get databaseUrl(): string {
    const port = readFileSync(join(this.path, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
    const password = readFileSync(join(this.path, 'postgres.password'), 'utf8').trim();
    return `postgres://postgres:${password}@127.0.0.1:${port}/video_queue`;
  }

  /** Kills the process that would stop the database server when the service ends. */
  killDatabaseHost(): void {
    const host = execFileSync('ps', ['-o', 'ppid=', '-p', `${this.postmaster}`], { encoding: 'utf8' });
    killQuietly(Number(host));
  }

  /** Kills the database server and all its processes with SIGKILL. */
  killDatabase(): void {
    const { postmaster } = this;
    if (postmaster === undefined) throw new Error('no database to kill');
    for (const pid of [postmaster, ...childrenOf(postmaster)]) killQuietly(pid);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Whether the process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

/** Signals a process of a server, unless it has ended: others may end it, and a busy machine takes its time between them. */
export function killQuietly(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended together with the server.
  }
}

function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}
