import { sharedTestApp } from '../support/shared-app';
import { startTestApp } from '../support/test-app';

const scrape = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/metrics`, { headers });

describe('access to /metrics', () => {
  it('is open to this machine, but not to the clients of a proxy on it', async () => {
    const { url } = await sharedTestApp();
    const local = await scrape(url);
    expect([local.status, await local.text()]).toEqual([200, expect.stringMatching(/^# HELP /)]);
    const forwarded = await scrape(url, { 'X-Forwarded-For': '198.51.100.7' });
    expect([forwarded.status, await forwarded.json()]).toMatchObject([
      404,
      { errors: { code: 'not_found' } },
    ]);
  });

  it.each(['0', '10.0.0.0/8'])(
    'is the same with TRUST_PROXY=%s, which does not name the proxy',
    async (value) => {
      const test = await startTestApp({ env: { TRUST_PROXY: value } });
      try {
        const forwarded = await scrape(test.url, { 'X-Forwarded-For': '198.51.100.7' });
        expect([(await scrape(test.url)).status, forwarded.status]).toEqual([200, 404]);
      } finally {
        await test.close();
      }
    },
  );

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
