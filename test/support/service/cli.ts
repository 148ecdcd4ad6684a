import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Json } from '../http/api';
import { compileCache, REPOSITORY } from './built-service';
import type { TestApp } from '../test-app';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  /** From the start of the process to its end. */
  milliseconds: number;
}

/** Starts a command as the image does, a process of its own; does not wait. */
export function startCli(args: string[], variables: Record<string, string>, input = '') {
  const { PATH = '', HOME = '' } = process.env;
  const start = performance.now();
  const child = spawn(process.execPath, [join('dist', 'src', 'cli.js'), ...args], {
    cwd: REPOSITORY,
    env: { ...compileCache(), PATH, HOME, ...variables },
  });
  child.stdin.on('error', () => {
    // It ended without reading what it did not ask for.
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const outcome = async (): Promise<Outcome> => {
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr, milliseconds: performance.now() - start };
  };
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), outcome: outcome() };
}

/** Runs a command to its end. */
export const runCli = (...parameters: Parameters<typeof startCli>): Promise<Outcome> =>
  startCli(...parameters).outcome;

/** The operator of a service that runs: commands find its database, and nothing else, as the service does. */
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

  try = (args: string[], input?: string): Promise<Outcome> => runCli(args, this.variables, input);

  /** What a command writes. @throws Error unless it succeeds without a word on standard error */
  async run(args: string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, input);
    if (code === 0 && stderr === '') return stdout;
    throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  }

  /** As `run`, what machines read. */
  async json(args: string[], input?: string): Promise<Json> {
    return JSON.parse(await this.run([...args, '--json'], input));
  }
}
