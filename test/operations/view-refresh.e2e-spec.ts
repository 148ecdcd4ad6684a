import { Client } from 'pg';
import { type Member, TestTenant } from '../support/builders';
import type { Api } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** The pause after such a refresh is 9 times as long: 10 s more than the 30 s that a request waits for its end. */
const SLOW_REFRESH_MS = 4500;

/** @returns when the last refresh began */
async function requestRefresh(api: Api): Promise<string> {
  const answer = await api.post('/api/v1/analytics/refresh-views');
  expect(answer.status).toBe(200);
  return answer.body.data.refreshed_at;
}

describe('a refresh of the report views that is requested long before the end of the pause', () => {
  let test: TestApp;
  /** A second instance on the same database. It knows no more of the first refresh than one that starts after it. */
  let secondApp: TestApp;
  /** A second connection, to observe a lock that the first one holds. */
  let observer: Client;
  let owner: Member;

  beforeAll(async () => {
    test = await startTestApp();
    secondApp = await startTestApp({ databaseUrl: test.databaseUrl });
    observer = new Client({ connectionString: test.databaseUrl });
    await observer.connect();
    owner = (await TestTenant.register(test)).owner;
  });

  afterAll(async () => {
    await observer.end();
    await secondApp.close();
    await test.close();
  });

  /** Lets only the first instance make a slow refresh. @returns when it began */
  async function refreshSlowly(): Promise<string> {
    await test.db.query('BEGIN; LOCK calls IN ACCESS EXCLUSIVE MODE');
    const request = requestRefresh(owner.api);
    await until(async () => {
      const { rows } = await observer.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE 'SELECT refresh_analytics%'
           AND query_start < clock_timestamp() - make_interval(secs => $1 / 1000.0)`,
        [SLOW_REFRESH_MS],
      );
      return rows.length > 0;
    });
    await test.db.query('COMMIT');
    return request;
  }

  it('happens at its end, once for all requests and instances', async () => {
    const first = await refreshSlowly();
    const apis = [owner.api, secondApp.api.as(owner.token)];
    const answers = await Promise.all([...apis, ...apis].map(requestRefresh));
    expect(new Set(answers)).toEqual(new Set([first]));
    const { rows } = await test.db.query(
      `SELECT extract(epoch FROM start_after - $1::timestamptz)::float8 AS delay
       FROM pgboss.job WHERE name = 'analytics.refresh-views-after-pause'`,
      [first],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].delay).toBeGreaterThanOrEqual((10 * SLOW_REFRESH_MS) / 1000);
    const refreshedAt = async (): Promise<Date> =>
      (await test.db.query('SELECT max(refreshed_at) AS at FROM analytics.view_states')).rows[0].at;
    const { rows: refreshes } = await test.db.query('SELECT duration_ms FROM view_refreshes');
    // The next one begins when this one has taken a tenth of the time, and a busy machine makes it much longer.
    await until(
      async () => (await refreshedAt()) > new Date(first),
      undefined,
      10 * refreshes[0].duration_ms + 60_000,
    );
    const pause = (await refreshedAt()).getTime() - Date.parse(first);
    expect(pause).toBeGreaterThanOrEqual(10 * SLOW_REFRESH_MS);
  });
});
