// Starts, awaits and ends the child processes of a benchmark.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The flags of `npm start`. */
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const NODE_FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts `node file` and waits until `readyUrl` answers. @returns a function that ends it; `pid` is its process id */
export async function startProcess(file, env, readyUrl) {
  const child = spawn(process.execPath, [...NODE_FLAGS, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', process.env.BENCH_LOG ? 'inherit' : 'ignore', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  for (const end = Date.now() + 30_000; ;) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    const response = await fetch(readyUrl).catch(() => undefined);
    if (response?.ok) break;
    if (Date.now() > end) throw new Error(`${readyUrl} did not respond within 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = async (signal = 'SIGTERM') => {
    child.kill(signal);
    await exited;
  };
  return Object.assign(stop, { pid: child.pid });
}

/** Linux counts CPU time in hundredths of a second. */
const CPU_TICK_MS = 10;

/** @returns the CPU time that the process has used so far, in ms */
export function cpuMs(pid) {
  // The name of the process, in parentheses, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const [user, system] = [fields[11], fields[12]].map(Number);
  return (user + system) * CPU_TICK_MS;
}
