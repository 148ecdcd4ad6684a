import { randomBytes } from 'node:crypto';
import { ViewRefresher } from '../../../src/analytics/view-refresher';
import { Database } from '../../../src/platform/database/database';
import { prepareDatabase } from '../../../src/operator/migration/prepare-database';
import { requestContext, runAsLongWork, runJobFor } from '../../../src/platform/logging/request-context';
import { TestTenant } from '../../support/builders';
import { SERVICE_ROLE } from '../../support/database/service-role';
import { asSuperuser, cloneDatabase, databaseUrl } from '../../support/database/database';
import { startTestApp, type TestApp } from '../../support/test-app';

const TIMEOUT = { text: `SELECT current_setting('statement_timeout') AS timeout` };
const REQUEST = { request_id: 'test', address: null };

/** Where statements note the limit that they run with. */
const NOTES = `CREATE SCHEMA noted; CREATE TABLE noted.timeouts (timeout text);`;
const NOTE = `INSERT INTO noted.timeouts VALUES (current_setting('statement_timeout'));`;

async function notedTimeouts(url: string): Promise<string[]> {
  const { rows } = await asSuperuser(url, (client) =>
    client.query<{ timeout: string }>('SELECT DISTINCT timeout FROM noted.timeouts'),
  );
  return rows.map(({ timeout }) => timeout);
}

describe('the statement timeout', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let test: TestApp | undefined;

  beforeAll(async () => {
    database = await cloneDatabase();
  });

  afterEach(() => test?.close());
  afterAll(() => database.drop());

  it('is 15 s in requests and recurring tasks, 10 min in jobs and commands, and can be set', async () => {
    test = await startTestApp({ databaseUrl: database.url });
    const data = test.get(Database);
    const readTimeouts = async () => {
      const [read] = await data.readSystem<[{ timeout: string }]>([TIMEOUT]);
      const written = await data.system((tx) => tx.one<{ timeout: string }>(TIMEOUT.text));
      return [read[0]?.timeout, written?.timeout];
    };
    expect(await requestContext.run(REQUEST, readTimeouts)).toEqual(['15s', '15s']);
    expect(await readTimeouts()).toEqual(['15s', '15s']);
    expect(await runAsLongWork(readTimeouts)).toEqual(['10min', '10min']);
    expect(await runAsLongWork(() => runJobFor(undefined, readTimeouts))).toEqual(['10min', '10min']);
    expect(await runAsLongWork(() => requestContext.run(REQUEST, readTimeouts))).toEqual(['15s', '15s']);
    const own = requestContext.run(REQUEST, () => data.system((tx) => tx.one(TIMEOUT.text), 900_000));
    expect(await own).toEqual({ timeout: '15min' });
    // Limits apply to one transaction, not to the connection.
    expect(await requestContext.run(REQUEST, readTimeouts)).toEqual(['15s', '15s']);
  });

  it('is 15 min in a refresh of the views, even if a request asks for it', async () => {
    await asSuperuser(database.url, (client) =>
      client.query(`${NOTES}
        ALTER FUNCTION refresh_analytics() RENAME TO refresh_analytics_unnoted;
        CREATE FUNCTION refresh_analytics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS
          $$ BEGIN ${NOTE} PERFORM public.refresh_analytics_unnoted(); END $$`),
    );
    test = await startTestApp({ databaseUrl: database.url });
    const refresher = test.get(ViewRefresher);
    await requestContext.run(REQUEST, () => refresher.refresh());
    expect(await notedTimeouts(database.url)).toEqual(['15min']);
  });

  it('is that of the server in migrations', async () => {
    const name = `migrated_${randomBytes(6).toString('hex')}`;
    const admin = databaseUrl('postgres');
    await asSuperuser(admin, (client) => client.query(`CREATE DATABASE ${name}`));
    try {
      const url = databaseUrl(name);
      await asSuperuser(url, (client) =>
        client.query(`${NOTES}
          CREATE FUNCTION noted.note() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN ${NOTE} END $$;
          CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION noted.note()`),
      );
      await prepareDatabase(url, { role: SERVICE_ROLE });
      const { rows } = await asSuperuser(url, (client) => client.query<{ timeout: string }>(TIMEOUT.text));
      expect(await notedTimeouts(url)).toEqual([rows[0]?.timeout]);
      expect(rows[0]?.timeout).not.toBe('15s');
    } finally {
      await asSuperuser(admin, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    }
  });

  it('ends a slow request with 503 and frees its connection', async () => {
    const url = new URL(database.url);
    // The statements of the start have no more time than the slow one.
    url.searchParams.set('options', '-c statement_timeout=3000');
    test = await startTestApp({ databaseUrl: url.toString(), env: { DATABASE_POOL_SIZE: '2' } });
    const tenant = await TestTenant.register(test);
    expect((await tenant.owner.api.post('/api/v1/customers', { name: 'Ana' })).status).toBe(201);
    await test.db.query(
      `CREATE OR REPLACE FUNCTION search_customers(wanted jsonb) RETURNS SETOF uuid LANGUAGE sql
       AS 'SELECT NULL::uuid FROM pg_sleep(60)'`,
    );
    const search = await tenant.owner.api.get('/api/v1/customers?search=ana');
    expect(search.status).toBe(503);
    expect(search.body.errors.code).toBe('unavailable');
    expect(search.headers.get('retry-after')).toMatch(/^[123]$/);
    for (let request = 0; request < 3; request++) {
      expect((await tenant.owner.api.get('/api/v1/customers')).status).toBe(200);
    }
  });
});
