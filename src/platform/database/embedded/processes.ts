import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const hasProc = existsSync('/proc/self/stat');

/**
 * When the process began, in a unit that is only good for comparing: together with the pid it tells a process
 * from a later one that was given the same pid. Undefined when no such process runs; a zombie does not run.
 */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (!hasProc) return (await ps(pid, 'lstart')) || undefined;
  const stat = await readProc(pid, 'stat');
  // The name, field 2, stands in parentheses and may itself hold blanks and parentheses: count behind the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

/** The command line with its arguments joined by blanks; empty when no such process runs. */
export async function processCommandLine(pid: number): Promise<string> {
  if (!hasProc) return ps(pid, 'command');
  return (await readProc(pid, 'cmdline')).replaceAll('\0', ' ').trimEnd();
}

async function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}

async function ps(pid: number, column: string): Promise<string> {
  // Time zone and language are fixed, so that two services with different ones read the same start time.
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = await run('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { env }).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}
