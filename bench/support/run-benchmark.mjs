// Runs a benchmark as a child process with --json.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { row } from './report.mjs';

const ROOT = new URL('../..', import.meta.url);
/** A benchmark takes about a minute; this one hangs. */
const LIMIT_SECONDS = Number(process.env.BENCH_LIMIT_SECONDS ?? 180);
/** How long a benchmark that is ended may take to end its own processes. */
const END_TIMEOUT_MS = 15_000;

/**
 * Runs the benchmark. What it reports on stderr is shown.
 * @param names of the rows that it must report
 * @param signal ends the benchmark and its processes
 * @param env its environment
 * @returns its rows. If it fails, all of them have an `error`, and missing rows are added with it
 */
export async function runBenchmark(file, names, signal, env) {
  // A group of processes of its own, so that no process is left when it must be ended.
  const child = spawn(process.execPath, [file, '--json'], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const limit = AbortSignal.timeout(LIMIT_SECONDS * 1000);
  const end = endGroup(child);
  const either = AbortSignal.any([signal, limit]);
  either.addEventListener('abort', end);
  const [output, [status, endSignal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  either.removeEventListener('abort', end);
  const { rows, problem } = parseRows(output);
  const failure = limit.aborted ? `did not end within ${LIMIT_SECONDS} s` : failureOf(status, endSignal);
  return completeRows(rows, names, failure ?? problem);
}

/** @returns a function that ends the processes of the child's group, and kills those that do not end */
function endGroup(child) {
  const send = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  return () => {
    send('SIGTERM');
    const timer = setTimeout(() => send('SIGKILL'), END_TIMEOUT_MS);
    child.once('close', () => clearTimeout(timer));
  };
}

function failureOf(status, signal) {
  if (status === 0) return undefined;
  return signal ? `was ended by ${signal}` : `ended with status ${status}`;
}

function parseRows(output) {
  try {
    const rows = JSON.parse(output);
    if (Array.isArray(rows)) return { rows };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { rows: [], problem: 'reported no array of rows' };
}

function completeRows(rows, names, failure) {
  const reported = new Set(rows.map(({ name }) => name));
  const missing = names.filter((name) => !reported.has(name));
  return [
    ...rows.map((row) => (failure ? { ...row, error: failure } : row)),
    ...missing.map((name) => row({ name, error: failure ?? 'was not reported' })),
  ];
}
