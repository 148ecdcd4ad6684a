import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Client } from 'pg';
import { ExportsService } from '../../src/exports/exports.service';
import { TestTenant } from '../support/builders';
import { csvRows } from '../support/contexts/csv';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** More data than the buffers between the database and a client can hold. */
const ROWS = 3000;
const NOTE_BYTES = 10_000;
/** In a pool of five connections, exports may use one. */
const SMALL_POOL_ENV = { DATABASE_POOL_SIZE: '5' };

let test: TestApp;
let tenant: TestTenant;
let openResponses: IncomingMessage[];

beforeAll(async () => {
  test = await startTestApp({ env: SMALL_POOL_ENV });
  tenant = await TestTenant.register(test);
  await test.db.query(
    `INSERT INTO calls (tenant_id, status, department_name, customer_name, estimated_wait_time, notes, inserted_at,
       ended_at, updated_at)
     SELECT $1, 'missed', 'Support', 'Ana ' || n, 0, repeat('x', $2), now(), now(), now()
     FROM generate_series(1, ${ROWS}) AS n`,
    [tenant.id, NOTE_BYTES],
  );
});

beforeEach(() => {
  openResponses = [];
});

afterEach(async () => {
  for (const answer of openResponses) answer.destroy();
  await until(async () => (await exportBackends()).length === 0);
});

afterAll(() => test.close());

const PATH = '/api/v1/export/calls.csv';
const request = () => get(test.url + PATH, { headers: { authorization: `Bearer ${tenant.owner.token}` } });

/** Starts an export whose client reads nothing after the response headers. */
async function startStalledExport(): Promise<IncomingMessage> {
  const [answer] = (await once(request(), 'response')) as [IncomingMessage];
  openResponses.push(answer.on('error', () => {}));
  expect(answer.statusCode).toBe(200);
  await until(async () => (await exportBackends()).some(({ wait_event }) => wait_event === 'ClientWrite'));
  return answer;
}

interface Backend {
  pid: number;
  wait_event: string | null;
}

/** The database sessions that run an export or whose export transaction is still open. */
async function exportBackends(): Promise<Backend[]> {
  const { rows } = await test.db.query<Backend>(
    `SELECT pid, wait_event FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'COPY %' AND state <> 'idle'`,
  );
  return rows;
}

/** Waits until `count` exports of the tenant wait for another one, which has the tenant's place. */
const waitForQueuedExports = (count: number) =>
  until(() => test.get(ExportsService).places.usersOf(tenant.id) === count + 1);

/** Runs an export of one row to its end. */
const runSmallExport = () => tenant.owner.api.get(`${PATH}?search=Ana+${ROWS}`);

describe('a client that disconnects', () => {
  it('in the middle of an export frees its connection and its place in the queue', async () => {
    const answer = await startStalledExport();
    answer.destroy();
    await until(async () => (await exportBackends()).length === 0);
    expect(csvRows(await runSmallExport())).toHaveLength(1);
  });

  it('before the first row frees its connection, although PostgreSQL has nothing to send yet', async () => {
    const lockHolder = await lockCalls();
    const abandoned = request().on('error', () => {});
    await until(async () => (await exportBackends()).length === 1);
    abandoned.destroy();
    // 5 s is far below the lock timeout, so only the disconnect can end the backend.
    await until(
      async () => (await exportBackends()).length === 0,
      () => 'the backend did not notice',
      5000,
    );
    await lockHolder.end();
    expect(csvRows(await runSmallExport())).toHaveLength(1);
  });

  it('while it waits leaves the queue', async () => {
    const first = await startStalledExport();
    const leaving = request().on('error', () => {});
    await waitForQueuedExports(1);
    leaving.destroy();
    await waitForQueuedExports(0);
    first.destroy();
    expect(csvRows(await runSmallExport())).toHaveLength(1);
  });
});

/** Locks the calls table until the returned connection ends. */
async function lockCalls(): Promise<Client> {
  const lockHolder = new Client({ connectionString: test.databaseUrl });
  await lockHolder.connect();
  await lockHolder.query('BEGIN');
  await lockHolder.query('LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
  return lockHolder;
}

describe('while an export is stalled', () => {
  it('list requests succeed, even if there are more at once than the pool has connections', async () => {
    await startStalledExport();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenant.owner.api.get('/api/v1/calls?page_size=1')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await exportBackends()).toHaveLength(1);
  });

  it('another export of the tenant waits, and one of another tenant gets 503 with Retry-After', async () => {
    const first = await startStalledExport();
    const second = runSmallExport();
    await waitForQueuedExports(1);
    const { places } = test.get(ExportsService);
    const { waitTimeoutMs } = places;
    places.waitTimeoutMs = 100;
    const { owner } = await TestTenant.register(test);
    const answer = await owner.api.get(PATH);
    places.waitTimeoutMs = waitTimeoutMs;
    expectFailure(answer, 503, { code: 'unavailable' });
    expect(answer.headers.get('retry-after')).toMatch(/^[123]$/);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await exportBackends()).toHaveLength(1);
    first.destroy();
    expect(csvRows(await second)).toHaveLength(1);
  });
});

describe('a lost database connection', () => {
  it('in the middle aborts the response, so that a partial file does not look complete', async () => {
    const answer = await startStalledExport();
    const [backend] = await exportBackends();
    await test.db.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
    answer.resume();
    await new Promise((resolve) => answer.once('close', resolve));
    expect(answer.complete).toBe(false);
    expect(csvRows(await runSmallExport())).toHaveLength(1);
  });

  it('before the first row makes the export fail with 503', async () => {
    const lockHolder = await lockCalls();
    const pendingExport = runSmallExport();
    const [backend] = await until(async () => {
      const found = await exportBackends();
      return found.length > 0 && found;
    });
    await test.db.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
    const answer = await pendingExport;
    expectFailure(answer, 503, { code: 'unavailable' });
    expect(answer.headers.get('content-disposition')).toBeNull();
    await lockHolder.end();
    expect(csvRows(await runSmallExport())).toHaveLength(1);
  });
});
