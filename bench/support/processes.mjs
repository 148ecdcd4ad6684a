// Child processes of a benchmark: started, waited for, ended.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** As `npm start` has them. */
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

/** Starts `node file` and waits until `readyUrl` answers. @returns what ends it, with the process's id as `pid` */
export async function startProcess(file, env, readyUrl) {
  const child = spawn(process.execPath, [...NODE_FLAGS, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  for (const end = Date.now() + 30_000; ;) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    const answer = await fetch(readyUrl).catch(() => undefined);
    if (answer?.ok) break;
    if (Date.now() > end) throw new Error(`${readyUrl} never answered`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await gone;
  };
  return Object.assign(stop, { pid: child.pid });
}
