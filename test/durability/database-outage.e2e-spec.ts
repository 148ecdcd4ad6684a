import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { TestTenant } from '../support/builders';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Behaviour when the database closes a connection, is slow, or is reached with extra connection options. */
describe('the service with database problems', () => {
  let test: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    test = await startTestApp({ env: { DATABASE_POOL_SIZE: '4' } });
    tenant = await TestTenant.register(test);
  });

  afterAll(() => test.close());

  it('fails only the affected read when the database closes its connection', async () => {
    const reading = test.get(Database).readTenant(tenant.id, [{ text: 'SELECT pg_sleep(30)' }]);
    const failed = expect(reading).rejects.toThrow();
    await until(async () => {
      const { rows } = await test.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid() AND datname = current_database()`,
      );
      return rows.length > 0;
    });
    await failed;
    expect((await tenant.owner.api.get('/api/v1/users/me')).status).toBe(200);
  });

  it('answers with 503 while locks are not available in time, and recovers afterwards', async () => {
    const { department, link } = await tenant.queue();
    const holder = new Client({ connectionString: test.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM departments WHERE id = $1 FOR UPDATE', [department.id]);
    // More requests than pooled connections: some wait for the lock, the others for a connection.
    const joins = Array.from({ length: 6 }, (_, n) =>
      test.api.post(`/api/v1/call/${link.token}/join`, { name: `Customer ${n}` }),
    );
    const answers = await Promise.all(joins);
    for (const { status, body, headers } of answers) {
      expect({ status, code: body.errors.code }).toEqual({ status: 503, code: 'unavailable' });
      expect(headers.get('retry-after')).toMatch(/^[123]$/);
    }
    await holder.end();
    expect((await tenant.join(link)).position).toBe(1);
  }, 40_000);

  it('keeps its database role when DATABASE_URL sets options', async () => {
    const url = new URL(test.databaseUrl);
    url.searchParams.set('options', '-c statement_timeout=60000');
    const other = await startTestApp({ databaseUrl: url.toString() });
    const [rows] = await other
      .get(Database)
      .readSystem<[{ role: string; timeout: string }]>([
        { text: `SELECT current_user AS role, current_setting('statement_timeout') AS timeout` },
      ]);
    expect(rows).toEqual([{ role: 'video_queue_app', timeout: '1min' }]);
    await other.close();
  });
});
