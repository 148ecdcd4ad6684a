import { Database } from '../../../src/platform/database/database';
import type { Statement } from '../../../src/platform/database/statement';
import type { Transaction } from '../../../src/platform/database/transaction';
import { TestTenant } from '../../support/builders';
import { startTestApp, type TestApp } from '../../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;

const SCOPE = {
  text: `SELECT current_setting('app.tenant_id', true) AS tenant_id, current_setting('app.system', true) AS system,
           current_setting('transaction_read_only') AS read_only`,
};
const INVALID = { text: `SELECT 'no uuid'::uuid` };
const divide = (by: number) => ({ name: 'test-divide', text: 'SELECT 1 / $1::int AS n', values: [by] });
const numbers = (from: number) => ({ text: 'SELECT n FROM generate_series($1::int, 3) n', values: [from] });
const DEPARTMENTS = { name: 'test-departments', text: 'SELECT tenant_id FROM departments' };

beforeAll(async () => {
  // A single connection, so that every read meets what the ones before it have left.
  test = await startTestApp({ env: { DATABASE_POOL_SIZE: '1' } });
  [tenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
  for (const one of [tenant, other]) await one.queue();
});

afterAll(() => test.close());

const read = <Row extends object>(...statements: Statement[]) =>
  test.get(Database).readTenant<Row[]>(tenant.id, statements);

const inTransaction = (text: string, values: unknown[]) =>
  test.get(Database).tenant(tenant.id, (tx) => tx.query(text, values));

async function preparedNames(): Promise<string[]> {
  const [rows] = await read<{ name: string }>({ text: 'SELECT name FROM pg_prepared_statements' });
  return (rows ?? []).map(({ name }) => name);
}

describe('a read', () => {
  it('returns the rows of each statement, those of its tenant alone', async () => {
    for (const { id } of [tenant, other, tenant]) {
      const [numbers, departments, none] = await test
        .get(Database)
        .readTenant<object[]>(id, [
          { text: 'SELECT n FROM generate_series(1, $1::int) n', values: [3] },
          DEPARTMENTS,
          { text: 'SELECT 1 AS n WHERE false' },
        ]);
      expect(numbers).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      expect(departments).toEqual([{ tenant_id: id }]);
      expect(none).toEqual([]);
    }
  });

  it('is prepared when it is sent again and again, unless its text is dynamic', async () => {
    const dynamic = { ...numbers(1), text: `${numbers(1).text} -- dynamic`, isDynamic: true };
    for (const from of [1, 2, 3, 4]) {
      const expected = [1, 2, 3].filter((n) => n >= from).map((n) => ({ n }));
      expect(await read(numbers(from), dynamic)).toEqual([expected, [{ n: 1 }, { n: 2 }, { n: 3 }]]);
    }
    const [statements] = await read<{ statement: string }>({
      text: 'SELECT statement FROM pg_prepared_statements',
    });
    const texts = (statements ?? []).map(({ statement }) => statement);
    expect(texts).toContain(numbers(1).text);
    expect(texts).not.toContain(dynamic.text);
  });

  it('finds a statement prepared by a transaction, and the other way round', async () => {
    const [first, second] = ['SELECT $1::int + 1 AS n', 'SELECT $1::int + 2 AS n'];
    for (const _ of [1, 2, 3]) {
      await inTransaction(first, [1]);
      await read({ text: second, values: [1] });
    }
    expect(await read({ text: first, values: [1] })).toEqual([[{ n: 2 }]]);
    expect(await inTransaction(second, [1])).toEqual([{ n: 3 }]);
  });

  it('converts values in the same way, whether its columns are described or known', async () => {
    const statement = {
      name: 'test-values',
      text: `SELECT $1::text AS text, 'null'::jsonb AS json, '[1]'::jsonb AS list, NULL::int AS missing, 7 AS number,
               false AS flag, '2026-01-31 12:00:00.5+00'::timestamptz AS at, 5::bigint AS big`,
      values: ['null'],
    };
    const expected = {
      text: 'null',
      json: null,
      list: [1],
      missing: null,
      number: 7,
      flag: false,
      at: '2026-01-31T12:00:00.500Z',
      big: '5',
    };
    const results = [await read(statement), await read(statement), await read(statement, statement)];
    expect(results).toEqual([[[expected]], [[expected]], [[expected], [expected]]]);
    expect(Object.keys(results[2]?.[1]?.[0] ?? {})).toEqual(Object.keys(expected));
  });

  it('cannot write', async () => {
    const deletion = { text: 'DELETE FROM departments' };
    await expect(read(deletion)).rejects.toMatchObject({ code: '25006' });
    await expect(test.get(Database).readSystem([deletion])).rejects.toMatchObject({ code: '25006' });
  });

  it('leaves neither its scope nor the restriction on the connection, also if it fails', async () => {
    const scopeOf = (tx: Transaction) => tx.one(SCOPE.text);
    const inSystem = { tenant_id: '', system: 'on', read_only: 'off' };
    await read(SCOPE);
    expect(await test.get(Database).system(scopeOf)).toEqual(inSystem);
    await expect(read(SCOPE, INVALID)).rejects.toMatchObject({ code: '22P02' });
    expect(await test.get(Database).system(scopeOf)).toEqual(inSystem);
    expect(await read(SCOPE)).toEqual([[{ tenant_id: tenant.id, system: '', read_only: 'on' }]]);
  });

  it('fails with the error of the first statement that failed, and the connection is usable', async () => {
    const failing = [INVALID, { text: 'SELECT FROM nowhere' }, { ...DEPARTMENTS, name: 'test-skipped' }];
    await expect(read(...failing)).rejects.toMatchObject({ code: '22P02' });
    expect(await preparedNames()).not.toContain('test-skipped');
    // PostgreSQL ignored it, so it still has to be prepared.
    for (const _ of [1, 2]) {
      expect(await read({ ...DEPARTMENTS, name: 'test-skipped' })).toEqual([[{ tenant_id: tenant.id }]]);
    }
    expect(await preparedNames()).toContain('test-skipped');
  });

  it('can repeat a prepared statement that failed when it was executed', async () => {
    await expect(read(divide(0))).rejects.toMatchObject({ code: '22012' });
    expect(await read(divide(1))).toEqual([[{ n: 1 }]]);
  });

  it('can repeat a prepared statement that could not be prepared', async () => {
    const statement = { name: 'test-late', text: 'SELECT n FROM test_late' };
    await expect(read(statement)).rejects.toMatchObject({ code: '42P01' });
    await test.db.query('CREATE TABLE test_late AS SELECT 1 AS n; GRANT SELECT ON test_late TO PUBLIC');
    expect(await read(statement)).toEqual([[{ n: 1 }]]);
  });

  it('is repeated after a migration has changed the type of a column', async () => {
    await test.db.query('CREATE TABLE test_changed AS SELECT 1 AS n; GRANT SELECT ON test_changed TO PUBLIC');
    const statement = { name: 'test-changed', text: 'SELECT n FROM test_changed' };
    expect(await read(statement)).toEqual([[{ n: 1 }]]);
    await test.db.query('ALTER TABLE test_changed ALTER n TYPE text');
    expect(await read(statement)).toEqual([[{ n: '1' }]]);
  });

  it('rejects a value that cannot be sent and two texts of one name, and the connection is usable', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(read({ text: 'SELECT $1::jsonb', values: [circular] })).rejects.toThrow('circular');
    await read(DEPARTMENTS);
    const renamed = { ...DEPARTMENTS, text: 'SELECT id FROM departments' };
    await expect(read(renamed)).rejects.toThrow('was used for a different statement');
    expect(await read(DEPARTMENTS)).toEqual([[{ tenant_id: tenant.id }]]);
  });
});
