import { MergesBackfill } from '../../src/customers/merges-backfill';
import { Clock } from '../../src/platform/clock/clock';
import { Database } from '../../src/platform/database/database';
import { Backfills } from '../../src/customers/backfills';
import { Jobs } from '../../src/platform/jobs/jobs';
import { expectStatus, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const PATH = '/api/v1/customers';

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

async function create(name: string): Promise<string> {
  const answer = await tenant.owner.api.post(PATH, { name });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

/** One second after the one before. */
async function merge(primary_id: string, ...duplicate_ids: string[]): Promise<void> {
  test.clock.advance(1);
  expectStatus(await tenant.owner.api.post(`${PATH}/merge`, { primary_id, duplicate_ids }), 200);
}

const mergesOf = async (): Promise<unknown[]> =>
  (
    await test.db.query(
      'SELECT customer_id, merged_id FROM customer_merges WHERE tenant_id = $1 ORDER BY merged_id',
      [tenant.id],
    )
  ).rows;

/** A job of its own, because that of the application may be complete. */
function backfills(): Backfills {
  const job = new Backfills(test.get(Database), test.get(Jobs), test.get(Clock));
  new MergesBackfill(job).onModuleInit();
  return job;
}

it('merges of a former release are recorded from the audit log, in batches whose progress is stored', async () => {
  const [a, b, c, d, e] = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(create));
  await merge(b ?? '', a ?? '');
  await merge(c ?? '', b ?? '', d ?? '');
  const expected = await mergesOf();
  expect(expected).toHaveLength(3);
  expect(new Set(expected.map((row) => (row as { customer_id: string }).customer_id))).toEqual(new Set([c]));
  // This one is known already.
  await merge(e ?? '', c ?? '');
  const all = await mergesOf();
  expect(all).toHaveLength(4);
  await until(
    async () =>
      (
        await test.db.query(`SELECT FROM audit_log WHERE tenant_id = $1 AND action = 'customer.merged'`, [
          tenant.id,
        ])
      ).rowCount === 3,
    () => 'the merges are not in the audit log',
  );
  // More rows than one batch reads.
  await test.db.query(
    `INSERT INTO audit_log (tenant_id, action, subject_type, subject_id, inserted_at)
     SELECT $1, 'department.created', 'department', $1, $2 FROM generate_series(1, 5000)`,
    [tenant.id, test.clock.in(1)],
  );
  await test.db.query('DELETE FROM customer_merges WHERE tenant_id = $1 AND merged_id <> $2', [tenant.id, c]);
  await test.db.query(`DELETE FROM backfills WHERE name = 'customer-merges'`);

  const stopped = new AbortController();
  stopped.abort(new Error('stopped'));
  await expect(backfills().run(stopped.signal)).rejects.toThrow('stopped');
  await Promise.all([1, 2].map(() => backfills().run(new AbortController().signal)));
  expect(await mergesOf()).toEqual(all);
  const { rows } = await test.db.query(
    `SELECT progress ->> 'tenant_id' IS NOT NULL AS is_stored, completed_at IS NOT NULL AS is_complete
     FROM backfills WHERE name = 'customer-merges'`,
  );
  expect(rows).toEqual([{ is_stored: true, is_complete: true }]);

  // It is done once.
  await test.db.query('DELETE FROM customer_merges WHERE tenant_id = $1', [tenant.id]);
  await backfills().run(new AbortController().signal);
  expect(await mergesOf()).toEqual([]);
});
