import { setTimeout as delay } from 'node:timers/promises';
import { ServiceServer } from './service-server';

const HOST = '127.0.0.1';

let server: ServiceServer;
let url: string;

beforeEach(async () => {
  server = await ServiceServer.listen({ port: 0, host: HOST });
  url = `http://${HOST}:${server.port}`;
});

afterEach(() => server.close());

it('keeps connections longer than load balancers do, which is 60 s as a rule', async () => {
  expect((await fetch(`${url}/healthz`)).headers.get('keep-alive')).toBe('timeout=75');
});

describe('before the application', () => {
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
});

it('lets the application answer without a refused connection', async () => {
  const answers: string[] = [];
  let isReady = false;
  const clients = Array.from({ length: 8 }, async () => {
    for (let after = 0; after < 20; after += Number(isReady)) {
      const response = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
      answers.push(await response.text());
    }
  });
  while (answers.length < clients.length) await delay(1);
  server.serve((_request, response) => response.end('ready'));
  isReady = true;
  await Promise.all(clients);
  expect(answers[0]).toContain('"ok"');
  expect(new Set(answers.slice(-80))).toEqual(new Set(['ready']));
});

it('refuses an address that is in use', async () => {
  await expect(ServiceServer.listen({ port: server.port, host: HOST })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

it('closes connections after 5 idle minutes, and those whose headers do not arrive within a minute', () => {
  const { requestTimeout, timeout, headersTimeout } = server.http;
  expect([requestTimeout, timeout, headersTimeout]).toEqual([0, 300_000, 60_000]);
});

it('closes twice, also connections that have stalled', async () => {
  server.serve(() => {});
  const stalled = fetch(url);
  await new Promise((resolve) => server.http.once('request', resolve));
  server.close();
  server.close();
  await expect(stalled).rejects.toThrow('fetch failed');
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
