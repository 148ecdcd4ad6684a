import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { TcpProxy } from '../support/peers/tcp-proxy';
import { sharedTestApp } from '../support/shared-app';
import { startTestApp, type TestApp } from '../support/test-app';

const scrape = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/metrics`, { headers });

/** As a proxy sends a request that passes the `Host` of its client on. */
async function scrapeWithHost(url: string, host: string): Promise<number | undefined> {
  const [response] = (await once(get(`${url}/metrics`, { headers: { host } }), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  return response.statusCode;
}

let test: TestApp;
beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

describe('access to /metrics', () => {
  it('is open to this machine, but not to the clients of a proxy on it', async () => {
    const { url } = test;
    const local = await scrape(url);
    expect([local.status, await local.text()]).toEqual([200, expect.stringMatching(/^# HELP /)]);
    const forwarded = await scrape(url, { 'X-Forwarded-For': '198.51.100.7' });
    expect([forwarded.status, await forwarded.json()]).toMatchObject([
      404,
      { errors: { code: 'not_found' } },
    ]);
  });

  it('is not open to the clients of a proxy that adds no header', async () => {
    const { url } = test;
    const proxy = await TcpProxy.start(Number(new URL(url).port));
    try {
      expect((await scrape(`http://127.0.0.1:${proxy.port}`)).status).toBe(404);
    } finally {
      await proxy.stop();
    }
    expect(await scrapeWithHost(url, 'calls.example.com')).toBe(404);
  });

  it('is the same if TRUST_PROXY names the proxy, whose clients may claim to be on this machine', async () => {
    const test = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
    try {
      const forwarded = await scrape(test.url, { 'X-Forwarded-For': '127.0.0.1' });
      expect([(await scrape(test.url)).status, forwarded.status]).toEqual([200, 404]);
    } finally {
      await test.close();
    }
  });

  it('requires METRICS_TOKEN if it is set, wherever the client is', async () => {
    const test = await startTestApp({ env: { METRICS_TOKEN: 'metrics-token-of-the-test' } });
    try {
      const statuses = [];
      for (const [token, forwardedFor] of [
        ['metrics-token-of-the-test', '198.51.100.7'],
        ['another-token-of-the-test', '127.0.0.1'],
      ] as const) {
        const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': forwardedFor };
        statuses.push((await scrape(test.url, headers)).status);
      }
      expect([...statuses, (await scrape(test.url)).status]).toEqual([200, 401, 401]);
    } finally {
      await test.close();
    }
  });
});
