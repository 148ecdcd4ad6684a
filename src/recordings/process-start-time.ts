import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The start time of a process, in a unit that is only fit for comparison. Together with the pid it identifies a
 * process, because pids are reused. Undefined when the process does not exist or is a zombie.
 */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (!existsSync('/proc/self/stat')) return (await ps(pid)) || undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, field 2, is in parentheses and may contain spaces and parentheses: fields are counted after the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

async function ps(pid: number): Promise<string> {
  // Time zone and language are fixed, so that services with different settings read the same start time.
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', `${pid}`], { env }).catch(
    () => ({
      stdout: '',
    }),
  );
  return stdout.trim();
}
