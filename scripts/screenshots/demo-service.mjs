import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const REPOSITORY = resolve(import.meta.dirname, '..', '..');

/**
 * Starts the built service with new demo data.
 * @returns its address, the token of the demo link, `linkOf(department)` with that of another one, `get` and `stop`
 */
export async function startDemoService() {
  const folder = mkdtempSync(join(tmpdir(), 'video-queue-screenshots-'));
  const port = await freePort();
  const settings = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [join('dist', 'src', 'main.js')], {
    cwd: REPOSITORY,
    env: { ...process.env, ...settings, PUBLIC_RATE_LIMIT: '600', PAGE_RATE_LIMIT: '6000' },
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
    if (token && output.includes('owner@demo.example')) {
      const url = `http://localhost:${port}`;
      const get = await ownersRequests(url);
      const linkOf = async (name) =>
        (await get('/access-links')).find(({ department_name }) => department_name === name).token;
      return { url, token, linkOf, get, stop };
    }
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

/** Waits until a customer's last call has its recording. */
export async function untilRecorded({ get }, name) {
  for (let attempt = 0; attempt < 120; attempt++) {
    const [call] = await get(`/calls?search=${encodeURIComponent(name)}`);
    if (call?.has_recording) return;
    await delay(500);
  }
  throw new Error(`The call of ${name} has no recording`);
}

/** @returns reads from the API as the owner of the demo */
async function ownersRequests(url) {
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant: 'demo', email: 'owner@demo.example', password: 'demo-call-queue' }),
  });
  const { access_token } = await login.json();
  return async (path) => {
    const headers = { authorization: `Bearer ${access_token}` };
    return (await (await fetch(`${url}/api/v1${path}`, { headers })).json()).data;
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
