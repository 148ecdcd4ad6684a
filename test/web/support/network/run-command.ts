import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program of the system, whose folder need not be on the PATH of a user. @returns its output */
export async function runCommand(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const { stdout } = await run(program, args, { env });
  return stdout;
}

/** Runs words that are separated by spaces. @returns the output */
export function runLine(line: string): Promise<string> {
  const [program = '', ...args] = line.split(' ');
  return runCommand(program, ...args);
}
