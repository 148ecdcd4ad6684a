import { CANDIDATES } from '../../src/identity/sessions/login-account-finder';
import { Database } from '../../src/platform/database/database';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

const conditionOn = (column: string) => expect.stringMatching(new RegExp(`^Index Cond: \\(+${column} = `));

it('the lookup of a login can use indexes for all tables in spite of row-level security', async () => {
  const plan = await test.get(Database).system(async (tx) => {
    // Small tables are read as a whole if indexes are not preferred.
    await tx.query('SET LOCAL enable_seqscan = off');
    const values = ['ana@example.com', 'padaria-central', '203.0.113.1', new Date()];
    return tx.query<Record<'QUERY PLAN', string>>(`EXPLAIN (COSTS OFF) ${CANDIDATES}`, values);
  });
  const lines = plan.map((row) => row['QUERY PLAN'].trim());
  // Of the addresses, which are few, the planner uses one index or another.
  expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([]);
  const columns = ['slug', 'name_key', 'email_key'];
  expect(lines).toEqual(expect.arrayContaining(columns.map(conditionOn)));
});
