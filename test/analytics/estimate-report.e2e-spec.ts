import { scoresOf } from '../../src/calls/queue/estimates/estimate-scores.rules';
import { expectStatus, TestTenant } from '../support/builders';
import { answeredWait, BUSY_ESTIMATE, endWait, type Wait } from '../support/contexts/waits';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let support: Json;
let sales: Json;

/** Estimated, waited, and the upper end of the range. */
const CALLS = [
  [100, 60, 120],
  [100, 130, 120],
  [30, 30, null],
  [10, 50, 50],
] as const;

const waitOf = ([told, waited, high]: (typeof CALLS)[number]): Wait =>
  answeredWait({ told, waited, estimate: { ...BUSY_ESTIMATE, high } });

const at = new Date('2026-03-10T12:00:00Z');

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  support = await tenant.department({ name: 'Support' });
  sales = await tenant.department({ name: 'Sales' });
  const line = { tenant_id: tenant.id, id: support.id };
  for (const call of CALLS) await endWait(test, line, waitOf(call), at);
  await endWait(test, line, answeredWait({ end: 'cancelled', told: 500 }), at);
  await endWait(test, line, waitOf(CALLS[0]), new Date('2026-03-12T12:00:00Z'));
  await endWait(
    test,
    { tenant_id: tenant.id, id: sales.id },
    answeredWait({ estimate: { ...BUSY_ESTIMATE, high: null }, told: 7, waited: 4 }),
    at,
  );
  // No agent was reachable.
  await endWait(
    test,
    { tenant_id: tenant.id, id: sales.id },
    answeredWait({ estimate: null, told: 180, waited: 4 }),
    at,
  );
  const transferred = await endWait(test, line, waitOf(CALLS[1]), new Date('2026-03-14T12:00:00Z'));
  await test.db.query(
    `UPDATE calls SET department_id = $2, department_name = 'Sales', transferred_from_department_id = $3,
       transferred_at = ended_at WHERE id = $1`,
    [transferred, sales.id, support.id],
  );
  // Of another company.
  const other = await TestTenant.register(test);
  const foreign = { tenant_id: other.id, id: (await other.department()).id };
  await endWait(test, foreign, answeredWait({ told: 900 }), at);
});

afterAll(() => test.close());

async function reportOf(query: Record<string, string> = {}, api = tenant.owner.api): Promise<Json> {
  const period = { date_from: '2026-03-10', date_to: '2026-03-10', timezone: 'UTC' };
  const answer = await api.get(
    `/api/v1/analytics/estimates?${new URLSearchParams({ ...period, ...query }).toString()}`,
  );
  expectStatus(answer, 200);
  return answer.body;
}

describe('the report of estimates', () => {
  it('has the errors of the answered calls of each department, by name', async () => {
    const { data, meta } = await reportOf();
    expect(data).toEqual([
      {
        department_id: sales.id,
        name: 'Sales',
        calls: 1,
        mae: 3,
        bias: 3,
        coverage: null,
        estimator: 'queue_length',
      },
      {
        department_id: support.id,
        name: 'Support',
        calls: 4,
        // (40 + 30 + 0 + 40) ÷ 4, and (40 − 30 + 0 − 40) ÷ 4.
        mae: 27.5,
        bias: -7.5,
        // Two of the three with a range.
        coverage: 0.6667,
        estimator: 'queue_length',
      },
    ]);
    expect(meta).toMatchObject({ timezone: 'UTC', refreshed_at: null });
    const { mae, bias } = scoresOf(CALLS.map(([estimated, waited, high]) => ({ estimated, waited, high })));
    expect([mae, bias]).toEqual([data[1].mae, data[1].bias]);
  });

  it('is of the period, the department and the agent that are asked for', async () => {
    const { data: both } = await reportOf({ date_to: '2026-03-12' });
    expect(both.map(({ calls }: Json) => calls)).toEqual([1, 5]);
    const { data: one } = await reportOf({ department_id: sales.id });
    expect(one.map(({ name }: Json) => name)).toEqual(['Sales']);
    const { rows } = await test.db.query(
      'SELECT DISTINCT user_id FROM calls WHERE tenant_id = $1 AND user_id IS NOT NULL',
      [tenant.id],
    );
    const { data: ofAgent } = await reportOf({ user_id: rows[0].user_id });
    expect(ofAgent.map(({ calls }: Json) => calls)).toEqual([1, 4]);
    const agent = await tenant.member();
    const { data: ofOther } = await reportOf({ user_id: agent.id });
    expect(ofOther.map(({ calls, mae }: Json) => [calls, mae])).toEqual([
      [0, null],
      [0, null],
    ]);
  });

  it('counts transferred calls for the department that estimated their wait', async () => {
    const period = { date_from: '2026-03-14', date_to: '2026-03-14' };
    const figures = async (query = {}) =>
      (await reportOf({ ...period, ...query })).data.map(({ name, calls, mae }: Json) => [name, calls, mae]);
    expect(await figures()).toEqual([
      ['Sales', 0, null],
      ['Support', 1, 30],
    ]);
    expect(await figures({ department_id: support.id })).toEqual([['Support', 1, 30]]);
    expect(await figures({ department_id: sales.id })).toEqual([['Sales', 0, null]]);
  });

  it('names the estimator in use, and departments that were deleted since', async () => {
    const former = await tenant.department({ name: 'Former' });
    await endWait(
      test,
      { tenant_id: tenant.id, id: former.id },
      waitOf(CALLS[0]),
      new Date('2026-03-20T12:00:00Z'),
    );
    await test.db.query(
      `INSERT INTO wait_learning (department_id, tenant_id, handle_times, handle_times_by_hour, waits, latencies, history,
         in_use, ratios, wait_count, ratios_count, learned_at)
       VALUES ($1, $2, '{}', '{}', '{}', '{}', '{}', 'mean_wait', '{}', 0, 0, now())
       ON CONFLICT (department_id) DO UPDATE SET in_use = 'mean_wait'`,
      [sales.id, tenant.id],
    );
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${former.id}`), 204);
    const { data } = await reportOf({ date_from: '2026-03-20', date_to: '2026-03-20' });
    expect(data.map(({ name, calls, estimator }: Json) => [name, calls, estimator])).toEqual([
      ['Department', 1, 'queue_length'],
      ['Sales', 0, 'mean_wait'],
      ['Support', 0, 'queue_length'],
    ]);
  });
});
