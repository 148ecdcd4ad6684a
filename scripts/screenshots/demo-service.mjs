import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const REPOSITORY = resolve(import.meta.dirname, '..', '..');

/** Starts the built service with new demo data. @returns its address, the token of the demo link, and `stop` */
export async function startDemoService() {
  const folder = mkdtempSync(join(tmpdir(), 'video-queue-screenshots-'));
  const port = await freePort();
  const settings = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [join('dist', 'src', 'main.js')], {
    cwd: REPOSITORY,
    env: { ...process.env, ...settings, PUBLIC_RATE_LIMIT: '600' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    const token = /http:\S+\/c\/([\w-]+)/.exec(output)?.[1];
    if (token && output.includes('owner@demo.example'))
      return { url: `http://localhost:${port}`, token, stop };
  }
  throw new Error(`The service did not start: ${output}`);
}

/** A new service learns from the demo's past calls after half a minute; then the page shows how long one waits. */
export async function untilWaitsAreKnown({ url, token }) {
  for (let attempt = 0; attempt < 120; attempt++) {
    const response = await fetch(`${url}/api/v1/call/${token}/validate`);
    if ((await response.json()).data?.estimated_wait_range) return;
    await delay(1000);
  }
  throw new Error('The service has not learned from the past calls of the demo');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
