import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterPaths } from './cluster';
import { FAST_SHUTDOWN_TIMEOUT_MS } from './leftover-server';
import { commandFor, type Runner } from './runner';

const MAX_LOG_BYTES = 10 * 1024 * 1024;
const LOG_LINES_IN_ERRORS = 15;

export interface ServerProcess {
  port: number;
  /** Settles when the process has ended, for any reason. */
  exited: Promise<unknown>;
  isGone(): boolean;
  /** The last lines that this run wrote to the log. */
  logTail(): Promise<string>;
  stop(): Promise<void>;
}

/** Only loopback TCP: the paths of Unix sockets have a length limit. */
const FIXED_SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };

/**
 * Starts the server process on the port, without waiting until it is ready. It runs in its own session, so that
 * Ctrl-C in a terminal does not stop it before the service has drained, and it does not keep the Node process alive.
 */
export async function launchServer(
  postgres: string,
  runner: Runner,
  paths: ClusterPaths,
  port: number,
  settings: Record<string, string>,
): Promise<ServerProcess> {
  const all = Object.entries({ ...settings, ...FIXED_SETTINGS, port: String(port) });
  const flags = all.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = commandFor(runner, postgres, ['-D', paths.clusterDir, ...flags]);
  const logStart = await rotateLog(paths.logFile);
  const log = await open(paths.logFile, 'a', 0o600);
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log.fd, log.fd] });
  const exited = once(child, 'exit').catch(() => undefined);
  child.on('error', () => undefined);
  child.unref();
  await log.close();
  return {
    port,
    exited,
    isGone: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    logTail: () => readTail(paths.logFile, logStart),
    stop: memoize(() => stop(child, exited)),
  };
}

/** Keeps one old log. @returns the offset at which the new run's part starts */
async function rotateLog(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= MAX_LOG_BYTES) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

async function readTail(logFile: string, start: number): Promise<string> {
  const log = await readFile(logFile);
  return log.subarray(start).toString().trimEnd().split('\n').slice(-LOG_LINES_IN_ERRORS).join('\n');
}

/** SIGINT is PostgreSQL's fast shutdown, which ends sessions and writes a checkpoint; SIGQUIT stops at once. */
async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.ref();
  child.kill('SIGINT');
  const timer = new AbortController();
  const overdue = delay(FAST_SHUTDOWN_TIMEOUT_MS, 'overdue', { signal: timer.signal }).catch(() => undefined);
  if ((await Promise.race([exited, overdue])) === 'overdue') child.kill('SIGQUIT');
  await exited;
  timer.abort();
}

function memoize<T>(action: () => T): () => T {
  let result: { value: T } | undefined;
  return () => (result ??= { value: action() }).value;
}
