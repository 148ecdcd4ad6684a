import { Database } from '../../../src/platform/database/database';
import type { Transaction } from '../../../src/platform/database/transaction';
import { TestTenant } from '../../support/builders';
import { oneTo } from '../../support/database/rows';
import { startTestApp, type TestApp } from '../../support/test-app';

let test: TestApp;

beforeAll(async () => {
  // One connection, so that every statement meets those that were prepared before.
  test = await startTestApp({ env: { DATABASE_POOL_SIZE: '2' } });
});

afterAll(() => test.close());

const DEPARTMENTS = 'SELECT * FROM departments WHERE identifier <> $1';

const departmentsOf = async (tenantId: string, prepare = async (_tx: Transaction) => {}) =>
  test.get(Database).tenant(tenantId, async (tx) => {
    await prepare(tx);
    return tx.query<{ tenant_id: string }>(DEPARTMENTS, ['-']);
  });

const useGenericPlan = async (tx: Transaction): Promise<void> => {
  await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
};

/** Often enough for every connection of the pool to have prepared the statement. */
async function prepareEverywhere(tenantId: string): Promise<void> {
  for (const _ of oneTo(5)) await Promise.all(oneTo(2).map(() => departmentsOf(tenantId)));
}

describe('statements that are sent again and again', () => {
  it('are prepared', async () => {
    const { id } = await TestTenant.register(test);
    await prepareEverywhere(id);
    const prepared = await test
      .get(Database)
      .tenant(id, (tx) =>
        tx.query<{ statement: string; generic_plans: string }>(
          'SELECT statement FROM pg_prepared_statements',
        ),
      );
    expect(prepared.map(({ statement }) => statement)).toContain(DEPARTMENTS);
  });

  it('return the rows of the current tenant alone, also by a plan that does not depend on it', async () => {
    const tenants = [await TestTenant.register(test), await TestTenant.register(test)];
    for (const tenant of tenants) await tenant.queue();
    for (const _ of oneTo(3)) {
      for (const { id } of tenants) {
        const found = await departmentsOf(id, useGenericPlan);
        expect(new Set(found.map(({ tenant_id }) => tenant_id))).toEqual(new Set([id]));
      }
    }
    const plan = await test.get(Database).tenant(tenants[0]?.id ?? '', async (tx) => {
      await useGenericPlan(tx);
      await tx.query(`PREPARE departments_of AS ${DEPARTMENTS.replace('$1', '$1::text')}`);
      return tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE departments_of ('-')`);
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    // The parameter shows that the plan is generic.
    expect(text).toContain('identifier <> $1');
    // The scope is read each time: an InitPlan is evaluated at the start of an execution.
    expect(text).toMatch(/tenant_id = \(InitPlan 1\)/);
  });

  it('are prepared again after a migration has changed their result', async () => {
    const { id } = await TestTenant.register(test);
    await prepareEverywhere(id);
    const before = await departmentsOf(id);
    await test.db.query('ALTER TABLE departments ADD COLUMN added_later integer');
    try {
      const after = await Promise.all(oneTo(4).map(() => departmentsOf(id)));
      for (const found of after) expect(found).toEqual(before.map((row) => ({ ...row, added_later: null })));
    } finally {
      await test.db.query('ALTER TABLE departments DROP COLUMN added_later');
    }
  });
});
