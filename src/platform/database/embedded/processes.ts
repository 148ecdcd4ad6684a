import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const hasProc = existsSync('/proc/self/stat');

/**
 * The start time of a process, in a unit that is only fit for comparison. Together with the pid it identifies a
 * process, because pids are reused. Undefined when the process does not exist or is a zombie.
 */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (!hasProc) return (await ps(pid, 'lstart')) || undefined;
  const stat = await readProc(pid, 'stat');
  // The name, field 2, is in parentheses and may contain spaces and parentheses: fields are counted after the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

/** The command line, its arguments joined by spaces; empty when the process does not exist. */
export async function processCommandLine(pid: number): Promise<string> {
  if (!hasProc) return ps(pid, 'command');
  return (await readProc(pid, 'cmdline')).replaceAll('\0', ' ').trimEnd();
}

async function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}

async function ps(pid: number, column: string): Promise<string> {
  // Time zone and language are fixed, so that services with different settings read the same start time.
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = await run('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { env }).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}
