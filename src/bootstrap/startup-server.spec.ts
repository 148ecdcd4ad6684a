import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Acceptors } from './acceptors';
import { StartupServer } from './startup-server';

const HOST = '127.0.0.1';

let startup: StartupServer;
let url: string;

beforeEach(async () => {
  startup = await StartupServer.listen({ port: 0, host: HOST });
  url = `http://${HOST}:${startup.address.port}`;
});

afterEach(() => startup.close());

it('tells an orchestrator that the process is alive', async () => {
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { data: { status: 'ok', details: {} } }]);
});

it.each([
  ['GET', '/readyz', 'not_ready'],
  ['GET', '/c/token?lang=pt', 'unavailable'],
  ['POST', '/api/v1/call/token/join', 'unavailable'],
])('answers %s %s with a 503 that says when to try again', async (method, path, code) => {
  const response = await fetch(url + path, { method, ...(method === 'POST' && { body: '{}' }) });
  expect([response.status, response.headers.get('retry-after')]).toEqual([
    503,
    expect.stringMatching(/^[123]$/),
  ]);
  expect(await response.json()).toEqual({ errors: { detail: 'The service is starting.', code } });
});

it('closes twice without an error', async () => {
  await startup.close();
  await startup.close();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

it('hands its port over without a refused connection', async () => {
  const server = createServer((_request, response) => response.end('ready'));
  const acceptors = new Acceptors(server);
  const answers: string[] = [];
  let isReady = false;
  const clients = Array.from({ length: 8 }, async () => {
    for (let after = 0; after < 20; after += Number(isReady)) {
      const response = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
      answers.push(await response.text());
    }
  });
  while (answers.length < clients.length) await delay(1);
  await acceptors.takeOver(startup);
  isReady = true;
  await Promise.all(clients);
  expect(answers[0]).toContain('"ok"');
  expect(new Set(answers.slice(-80))).toEqual(new Set(['ready']));
  const closed = acceptors.close();
  server.close();
  await closed;
});
