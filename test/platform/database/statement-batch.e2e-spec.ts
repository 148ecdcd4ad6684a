import type { Client } from 'pg';
import { PreparingClient } from '../../../src/platform/database/connections/preparing-client';
import { sendInBatch } from '../../../src/platform/database/connections/statement-batch';
import { PipelinedQuery } from '../../../src/platform/database/reads/pipelined-query';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

let test: TestApp;
let client: Client;

beforeAll(async () => {
  test = await sharedTestApp();
});

beforeEach(async () => {
  client = new PreparingClient({ connectionString: test.databaseUrl, pipeline: true });
  await client.connect();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await client.end();
});

afterAll(() => test.close());

const send = (text: string, values?: unknown[]) => sendInBatch(client, { text, values });
const outcomes = async (sent: Promise<unknown>[]) =>
  (await Promise.allSettled(sent)).map((one) => (one.status === 'fulfilled' ? 'done' : String(one.reason)));

describe('statements that are sent together', () => {
  it('are one query, and each has its own result', async () => {
    const query = jest.spyOn(client, 'query');
    const sent = [
      send('BEGIN'),
      send('CREATE TEMPORARY TABLE numbers (n int, at timestamptz) ON COMMIT DROP'),
      send('INSERT INTO numbers SELECT n, $2 FROM generate_series(1, $1::int) n', [
        3,
        '2026-01-31T12:00:00Z',
      ]),
      send('SELECT n, at FROM numbers WHERE n > $1 ORDER BY n', [1]),
      send('COMMIT'),
    ];
    const at = new Date('2026-01-31T12:00:00Z');
    expect(await Promise.all(sent)).toEqual([
      { command: 'BEGIN', rowCount: null, rows: [] },
      { command: 'CREATE', rowCount: null, rows: [] },
      { command: 'INSERT', rowCount: 3, rows: [] },
      {
        command: 'SELECT',
        rowCount: 2,
        rows: [
          { n: 2, at },
          { n: 3, at },
        ],
      },
      { command: 'COMMIT', rowCount: null, rows: [] },
    ]);
    expect(query).toHaveBeenCalledTimes(1);
    expect(query.mock.calls[0]?.[0]).toBeInstanceOf(PipelinedQuery);
  });

  it('fail with the error of the first that fails, and those before it succeed', async () => {
    const sent = [send('BEGIN'), send('SELECT 1 / $1::int', [0]), send('SELECT 2'), send('COMMIT')];
    const error = 'error: division by zero';
    expect(await outcomes(sent)).toEqual(['done', error, error, error]);
    await client.query('ROLLBACK');
    expect((await send('SELECT 3 AS three')).rows).toEqual([{ three: 3 }]);
  });

  it('fail together if a value cannot be sent', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const results = await outcomes([send('SELECT 1'), send('SELECT $1::jsonb', [circular])]);
    expect(results).toEqual([expect.stringContaining('circular'), expect.stringContaining('circular')]);
    expect((await send('SELECT 3 AS three')).rows).toEqual([{ three: 3 }]);
  });

  it('are sent before a query that follows at once', async () => {
    const setting = send(`SELECT set_config('application_name', $1, false)`, ['first']);
    const { rows } = await client.query(`SELECT current_setting('application_name') AS name`);
    expect(rows).toEqual([{ name: 'first' }]);
    await setting;
  });

  it('can be prepared under one name in one batch, and again later', async () => {
    const statement = { name: 'doubled', text: 'SELECT 2 * $1::int AS doubled' };
    const doubled = (value: number) => sendInBatch(client, { ...statement, values: [value] });
    const results = [...(await Promise.all([doubled(1), doubled(2)])), await doubled(3)];
    expect(results.map(({ rows }) => rows)).toEqual([[{ doubled: 2 }], [{ doubled: 4 }], [{ doubled: 6 }]]);
  });

  it('fail if the connection breaks', async () => {
    const { rows } = await send('SELECT pg_backend_pid() AS pid');
    const waiting = outcomes([send('SELECT pg_sleep(60)'), send('SELECT 1')]);
    await test.db.query('SELECT pg_terminate_backend($1)', [(rows[0] as { pid: number }).pid]);
    const [first, second] = await waiting;
    expect(first).toContain('terminating connection');
    expect(second).toBe(first);
  });
});
