import { CANDIDATES } from '../../src/identity/sessions/login-account-finder';
import { Database } from '../../src/platform/database/database';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

const indexScanOf = (table: string) =>
  expect.stringMatching(new RegExp(`Index Scan using \\w+ on ${table}\\b`));

it('the lookup of a login can use indexes for all tables in spite of row-level security', async () => {
  const plan = await test.get(Database).system(async (tx) => {
    // Small tables are read as a whole if indexes are not preferred.
    await tx.query('SET LOCAL enable_seqscan = off');
    const values = ['ana@example.com', 'padaria-central', '203.0.113.1', new Date()];
    return tx.query<Record<'QUERY PLAN', string>>(`EXPLAIN (COSTS OFF) ${CANDIDATES}`, values);
  });
  const scans = plan
    .map((row) => row['QUERY PLAN'].trim())
    .filter((line) => /^(-> +)?[\w ]*Scan .*on /.test(line));
  const tables = ['users', 'tenants', 'tenants', 'login_addresses'];
  const ofTables = scans.filter((scan) => !/Subquery Scan|CTE Scan/.test(scan));
  expect(ofTables).toHaveLength(tables.length);
  expect(ofTables).toEqual(expect.arrayContaining(tables.map(indexScanOf)));
});
