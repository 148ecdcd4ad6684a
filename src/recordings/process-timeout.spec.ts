import { spawn } from 'node:child_process';
import { ProcessTimeout } from './process-timeout';

const LIMIT_MS = 200;

/** @returns after how many times the limit the process was at its end */
async function roundsOf(script: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', script]);
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const begin = performance.now();
    await new Promise<void>((resolve) => new ProcessTimeout(child.pid ?? 0, LIMIT_MS, resolve));
    return Math.floor((performance.now() - begin) / LIMIT_MS);
  } finally {
    child.kill('SIGKILL');
  }
}

describe('ProcessTimeout', () => {
  it('gives a process that got no processor time the limit six times', async () => {
    expect(await roundsOf('console.log(1); setInterval(() => {}, 60_000)')).toBeGreaterThanOrEqual(5);
  });

  it('gives a process that does not exist the limit once', async () => {
    const begin = performance.now();
    await new Promise<void>((resolve) => new ProcessTimeout(Number.NaN, LIMIT_MS, resolve));
    expect(performance.now() - begin).toBeLessThan(5 * LIMIT_MS);
  });

  it('ends a process that uses a processor before that', async () => {
    // On a busy machine it gets less.
    expect(await roundsOf('console.log(1); for (;;);')).toBeLessThanOrEqual(5);
  });
});
