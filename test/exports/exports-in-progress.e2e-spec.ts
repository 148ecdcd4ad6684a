import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ExportsService } from '../../src/exports/exports.service';
import { TestTenant } from '../support/builders';
import { csvRows } from '../support/contexts/csv';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** More than all buffers between the database and a client take. */
const ROWS = 3000;
const NOTE_BYTES = 10_000;
/** Of a pool of five, one connection is for exports. */
const POOL = { DATABASE_POOL_SIZE: '5' };

let test: TestApp;
let tenant: TestTenant;
let open: IncomingMessage[];

beforeAll(async () => {
  test = await startTestApp({ env: POOL });
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
  open = [];
});

afterEach(async () => {
  for (const answer of open) answer.destroy();
  await until(async () => (await copies()).length === 0);
});

afterAll(() => test.close());

const PATH = '/api/v1/export/calls.csv';
const request = () => get(test.url + PATH, { headers: { authorization: `Bearer ${tenant.owner.token}` } });

/** An export of which the client takes nothing but its beginning. */
async function stuck(): Promise<IncomingMessage> {
  const [answer] = (await once(request(), 'response')) as [IncomingMessage];
  open.push(answer.on('error', () => {}));
  expect(answer.statusCode).toBe(200);
  await until(async () => (await copies()).some(({ wait_event }) => wait_event === 'ClientWrite'));
  return answer;
}

interface Backend {
  pid: number;
  wait_event: string | null;
}

/** The connections that copy, or are still in the transaction of it. */
async function copies(): Promise<Backend[]> {
  const { rows } = await test.db.query<Backend>(
    `SELECT pid, wait_event FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'COPY %' AND state <> 'idle'`,
  );
  return rows;
}

/** Until so many of the company wait for their turn. */
const waiting = (number: number) =>
  until(() => test.get(ExportsService)['limiterOf'](tenant.id)['waiting'].size === number);

/** An export that is taken whole. */
const small = () => tenant.owner.api.get(`${PATH}?search=Ana+${ROWS}`);

describe('a client who goes away', () => {
  it('in the middle gives connection and place back', async () => {
    const answer = await stuck();
    answer.destroy();
    await until(async () => (await copies()).length === 0);
    expect(csvRows(await small())).toHaveLength(1);
  });

  it('before the first row, too, though PostgreSQL has nothing to send yet', async () => {
    const holder = await lockCalls();
    const abandoned = request().on('error', () => {});
    await until(async () => (await copies()).length === 1);
    abandoned.destroy();
    // Long before the lock would be given up.
    await until(
      async () => (await copies()).length === 0,
      () => 'the backend did not notice',
      5000,
    );
    await holder.end();
    expect(csvRows(await small())).toHaveLength(1);
  });

  it('while waiting in line leaves it', async () => {
    const first = await stuck();
    const leaving = request().on('error', () => {});
    await waiting(1);
    leaving.destroy();
    await waiting(0);
    first.destroy();
    expect(csvRows(await small())).toHaveLength(1);
  });
});

/** Nobody reads a call while this connection is there. */
async function lockCalls(): Promise<Client> {
  const holder = new Client({ connectionString: test.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
  return holder;
}

describe('while an export is stuck', () => {
  it('the lists answer, more at once than the pool has connections', async () => {
    await stuck();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenant.owner.api.get('/api/v1/calls?page_size=1')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await copies()).toHaveLength(1);
  });

  it('others of the company, and other companies, wait for their turn, then are told to come again', async () => {
    const first = await stuck();
    const second = small();
    await waiting(1);
    const share = test.get(ExportsService)['connections'];
    const { waitTimeoutMs } = share;
    share.waitTimeoutMs = 100;
    const { owner } = await TestTenant.register(test);
    const answer = await owner.api.get(PATH);
    share.waitTimeoutMs = waitTimeoutMs;
    expectFailure(answer, 503, { code: 'unavailable' });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await copies()).toHaveLength(1);
    first.destroy();
    expect(csvRows(await second)).toHaveLength(1);
  });
});

describe('a database that breaks the connection off', () => {
  it('in the middle breaks the answer, so that nobody takes a part for the whole', async () => {
    const answer = await stuck();
    const [backend] = await copies();
    await test.db.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
    answer.resume();
    await new Promise((resolve) => answer.once('close', resolve));
    expect(answer.complete).toBe(false);
    expect(csvRows(await small())).toHaveLength(1);
  });

  it('before the first row is answered with 503', async () => {
    const holder = await lockCalls();
    const asked = small();
    const [backend] = await until(async () => {
      const found = await copies();
      return found.length > 0 && found;
    });
    await test.db.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
    const answer = await asked;
    expectFailure(answer, 503, { code: 'unavailable' });
    expect(answer.headers.get('content-disposition')).toBeNull();
    await holder.end();
    expect(csvRows(await small())).toHaveLength(1);
  });
});

/** The connections of the service. */
async function backends(): Promise<number[]> {
  const { rows } = await test.db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'video-call-queue' AND datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
}

it('exports that were taken whole leave their connection to others, as it was', async () => {
  // Idle connections go by themselves after a while: hence more than one try.
  await until(async () => {
    const before = await backends();
    for (let n = 0; n < 5; n++) expect((await small()).status).toBe(200);
    const after = await backends();
    return before.every((pid) => after.includes(pid));
  });
  const { master } = test.get(DataSource).driver as unknown as { master: object };
  const clients = Reflect.get(master, '_clients') as { pipeline: boolean }[];
  expect(new Set(clients.map(({ pipeline }) => pipeline))).toEqual(new Set([true]));
});
