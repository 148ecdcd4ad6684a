import { spawn } from 'node:child_process';
import { ProcessTimeout } from './process-timeout';

const LIMIT_MS = 200;

/** @returns how many times the process had the limit and the time did not count */
async function idleRounds(script: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', script]);
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return await idleRoundsOf(child.pid ?? 0);
  } finally {
    child.kill('SIGKILL');
  }
}

async function idleRoundsOf(pid: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timeout = new ProcessTimeout(pid, LIMIT_MS, resolve);
  await promise;
  return timeout.idleMs / LIMIT_MS;
}

describe('ProcessTimeout', () => {
  it('gives a process that got no processor time the limit six times', async () => {
    expect(await idleRounds('console.log(1); setInterval(() => {}, 60_000)')).toBe(5);
  });

  it('gives a process that does not exist the limit once', async () => {
    expect(await idleRoundsOf(Number.NaN)).toBe(0);
  });

  it('ends a process that uses a processor before that', async () => {
    // On a busy machine it gets less.
    expect(await idleRounds('console.log(1); for (;;);')).toBeLessThanOrEqual(4);
  });
});
