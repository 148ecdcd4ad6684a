import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Json } from '../http/api';
import { compileCache, REPOSITORY } from './built-service';
import { withServiceRole } from '../database/service-role';
import type { TestApp } from '../test-app';

/** The result of a command. */
export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a command in a child process, as the image does, and does not wait for its end. */
export function startCli(args: string[], variables: Record<string, string>, input = '') {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join('dist', 'src', 'cli.js'), ...args], {
    cwd: REPOSITORY,
    env: { ...compileCache(), PATH, HOME, ...withServiceRole(variables) },
  });
  child.stdin.on('error', () => {
    // The command ended without reading its input.
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const outcome = async (): Promise<CliResult> => {
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  };
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), outcome: outcome() };
}

/** Runs a command and waits for its end. */
export const runCli = (...parameters: Parameters<typeof startCli>): Promise<CliResult> =>
  startCli(...parameters).outcome;

/** Runs commands on the database of a running service. They get no other variables of the service. */
export class Operator {
  private readonly variables: Record<string, string>;

  constructor(test: TestApp, changes: Record<string, string> = {}) {
    this.variables = {
      DATABASE_URL: test.databaseUrl,
      DATA_DIR: process.env.TEST_DATA_DIR ?? '',
      PUBLIC_URL: 'https://calls.example.com',
      ...changes,
    };
  }

  /** Runs a command that may fail. */
  tryRun = (args: string[], input?: string): Promise<CliResult> => runCli(args, this.variables, input);

  /** Runs a command. @returns its standard output. @throws Error unless it succeeds with an empty standard error */
  async run(args: string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.tryRun(args, input);
    if (code === 0 && stderr === '') return stdout;
    throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  }

  /** Runs a command with --json. @returns its parsed output */
  async json(args: string[], input?: string): Promise<Json> {
    return JSON.parse(await this.run([...args, '--json'], input));
  }
}
