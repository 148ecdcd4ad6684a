import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for a service with an embedded database, and a look at that database's server from outside. */
export class DataDir {
  readonly path = mkdtempSync(join(tmpdir(), 'video-queue-service-'));

  /** The pid of the server that runs, or that was killed, on this folder; undefined after an orderly stop. */
  get postmaster(): number | undefined {
    const file = join(this.path, 'postgres', 'postmaster.pid');
    return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
  }

  get databaseUrl(): string {
    const port = readFileSync(join(this.path, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
    const password = readFileSync(join(this.path, 'postgres.password'), 'utf8').trim();
    return `postgres://postgres:${password}@127.0.0.1:${port}/video_queue`;
  }

  /** kill -9 of the database server and all its processes. */
  killDatabase(): void {
    const { postmaster } = this;
    if (postmaster === undefined) throw new Error('no database to kill');
    for (const pid of [postmaster, ...childrenOf(postmaster)]) killQuietly(pid);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Whether the process runs; one that has ended and waits to be collected does not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with the one before.
  }
}

function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}
