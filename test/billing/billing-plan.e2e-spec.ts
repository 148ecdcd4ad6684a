import { Database } from '../../src/platform/database/database';
import { monthOf } from '../../src/plans/period';
import { PLAN_NAMES, type PlanName, PLANS } from '../../src/plans/plan-catalogue';
import { StorageUsage } from '../../src/plans/storage-usage';
import { UsageRegistry } from '../../src/plans/usage-registry';
import type { Json } from '../support/http/api';
import { expectStatus, login, type Member, TestTenant } from '../support/builders';
import { asSuperuser } from '../support/database/database';
import { expectFailure } from '../support/database/failures';
import {
  chargeId,
  applyNotification,
  registerPendingTenant,
  startGatewayApp,
} from '../support/peers/payment-gateway';
import type { TestApp } from '../support/test-app';

const PLAN_URL = '/api/v1/billing/plan';
const DAY_SECONDS = 86_400;

let test: TestApp;

beforeAll(async () => {
  test = await startGatewayApp();
});

afterAll(() => test.close());

async function getPlan(owner: Member): Promise<Json> {
  const answer = await owner.api.get(PLAN_URL);
  expectStatus(answer, 200);
  return answer.body.data;
}

const NO_USAGE = {
  active_users: 1,
  active_departments: 0,
  active_links: 0,
  calls_this_month: 0,
  recording_storage_mb: 0,
  storage_mb: 0,
};

const currentMonth = () => {
  const { start, end } = monthOf(test.clock.now());
  return { current_period_start: start.toISOString(), current_period_end: end.toISOString() };
};

/** The limits and features of a plan in the catalogue, as the API returns them. */
function effectivePlan(name: PlanName): Json {
  const { limits, features } = PLANS[name];
  return {
    ...limits,
    recording_enabled: features.includes('recording'),
    transcription_enabled: features.includes('transcription'),
    analytics_enabled: ['advanced', 'professional', 'enterprise'].includes(name),
  };
}

describe('the plan of a tenant', () => {
  it.each(PLAN_NAMES)(
    '%s has the right status after signup, payment, overdue charge and refund',
    async (plan) => {
      const { id, owner } = await registerPendingTenant(test, plan);
      const status = plan === 'free' ? 'active' : 'pending';
      const chosen = { plan, status, ...effectivePlan('free'), ...currentMonth(), usage: NO_USAGE };
      expect(await getPlan(owner)).toEqual(chosen);
      if (plan === 'free') return;

      const charge = chargeId();
      const start = new Date('2026-01-31T15:30:00Z');
      await applyNotification(test, id, 'PAYMENT_CONFIRMED', { charge, at: start });
      const paid = {
        current_period_start: '2026-01-31T15:30:00.000Z',
        current_period_end: '2026-02-28T15:30:00.000Z',
      };
      expect(await getPlan(owner)).toEqual({
        plan,
        status: 'active',
        ...effectivePlan(plan),
        ...paid,
        usage: NO_USAGE,
      });

      await applyNotification(test, id, 'PAYMENT_OVERDUE', { at: test.clock.now() });
      expect(await getPlan(owner)).toMatchObject({
        plan,
        status: 'past_due',
        ...effectivePlan(plan),
        ...paid,
      });

      const soon = new Date(test.clock.now().getTime() + 2000);
      await applyNotification(test, id, 'PAYMENT_REFUNDED', { charge, at: soon });
      expect(await getPlan(owner)).toMatchObject({
        plan,
        status: 'cancelled',
        ...effectivePlan('free'),
        ...paid,
      });
    },
  );

  it('shows what an instance of the former release wrote as it is spelled now', async () => {
    const { id, owner } = await TestTenant.register(test, 'basic');
    await test.db.query(`UPDATE subscriptions SET status = 'canceled' WHERE tenant_id = $1`, [id]);
    expect(await getPlan(owner)).toMatchObject({ status: 'cancelled', ...effectivePlan('free') });
  });

  it('returns null for a missing limit', async () => {
    const { owner } = await TestTenant.register(test, 'enterprise');
    expect(await getPlan(owner)).toMatchObject({
      max_concurrent_calls: null,
      max_users: null,
      max_departments: null,
      max_storage_mb: null,
    });
  });

  it('can be read by managers and owners only', async () => {
    const tenant = await TestTenant.register(test);
    for (const role of ['attendant', 'supervisor'] as const) {
      expectFailure(await (await tenant.member(role)).api.get(PLAN_URL), 403, { code: 'forbidden' });
    }
    expect(await getPlan(await tenant.member('manager'))).toEqual(await getPlan(tenant.owner));
    expectFailure(await test.api.get(PLAN_URL), 401);
  });

  it('cannot be changed', async () => {
    const { owner } = await TestTenant.register(test);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expectFailure(await owner.api.send(method, PLAN_URL, { body: { plan: 'enterprise' } }), 405);
    }
  });
});

/** Adds to the storage of recordings, in its own transaction. */
const addStorage = (tenantId: string, bytes: number) =>
  test.get(Database).tenant(tenantId, (tx) => test.get(StorageUsage).add(tx, tenantId, bytes));

describe('the usage of a plan', () => {
  it('is counted live and without other tenants', async () => {
    const [tenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
    await other.member();
    const otherQueue = await other.queue();
    await other.join(otherQueue.link);
    await addStorage(other.id, 5_000_000);
    expect((await getPlan(tenant.owner)).usage).toEqual(NO_USAGE);

    const member = await tenant.member();
    const { department, link } = await tenant.queue();
    await tenant.department();
    await tenant.join(link);
    const { call_id } = await tenant.join(link);
    await addStorage(tenant.id, 1_840_000_000);
    const used = {
      active_users: 2,
      active_departments: 2,
      active_links: 1,
      calls_this_month: 2,
      recording_storage_mb: 1840,
      storage_mb: 1755,
    };
    expect((await getPlan(tenant.owner)).usage).toEqual(used);

    const { api } = tenant.owner;
    expectStatus(await api.put(`/api/v1/users/${member.id}`, { active: false }), 200);
    expectStatus(await api.put(`/api/v1/departments/${department.id}`, { active: false }), 200);
    expectStatus(await api.post(`/api/v1/calls/${call_id}/complete`), 200);
    await addStorage(tenant.id, -840_000_000);
    expect((await getPlan(tenant.owner)).usage).toEqual({
      ...used,
      active_users: 1,
      active_departments: 1,
      recording_storage_mb: 1000,
      storage_mb: 954,
    });
  });

  it('uses an index to count 20,000 calls, even in a prepared statement', async () => {
    const tenant = await TestTenant.register(test);
    const month = monthOf(test.clock.now()).start;
    await test.db.query('SET session_replication_role = replica');
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_name, customer_name, estimated_wait_time, inserted_at,
         updated_at, ended_at)
       SELECT $1, 'completed', 'Sales', 'Wanda', 0, at, at, at
       FROM generate_series(-17999, 2000) AS n, LATERAL (SELECT $2::timestamptz + n * interval '1 minute' AS at) AS t`,
      [tenant.id, month],
    );
    await test.db.query('SET session_replication_role = origin');
    await test.db.query('ANALYZE calls');
    const { text } = test.get(UsageRegistry).statement(tenant.id, month, month);
    const plan = await asSuperuser(test.databaseUrl, async (client) => {
      await client.query('SET ROLE video_queue_app');
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenant.id]);
      await client.query(`PREPARE usage AS ${text}`);
      const usage = `EXECUTE usage ('${tenant.id}', '${month.toISOString()}', '${month.toISOString()}')`;
      // After five executions PostgreSQL may switch to a generic plan.
      for (let execution = 1; execution <= 8; execution++) await client.query(usage);
      const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${usage}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    // The month restricts what is read of the index. Which one is chosen depends on the version of PostgreSQL.
    expect(plan).toMatch(/Index (Only )?Scan (using|on) calls_\w+_idx.*\n.*Index Cond: .*inserted_at >= /);
    expect(plan).not.toMatch(/Seq Scan on calls/);
    expect((await getPlan(tenant.owner)).usage.calls_this_month).toBe(2001);
  });
});

/** Advances the clock to a later time; users have to log in again. */
const advanceTo = (moment: Date) =>
  test.clock.advance((moment.getTime() - test.clock.now().getTime()) / 1000);
const addMinutes = (moment: Date, count: number) => new Date(moment.getTime() + count * 60_000);
const loginAgain = ({ slug, owner }: { slug: string; owner: Member }) => login(test, slug, owner.email);

describe('over time', () => {
  it('free and pending plans count periods and calls by calendar months in UTC', async () => {
    const free = await TestTenant.register(test, 'free');
    const pending = await registerPendingTenant(test);
    const { link } = await free.queue();
    // The end of this month and the end of next year.
    const now = test.clock.now();
    const newYear = new Date(Date.UTC(now.getUTCFullYear() + 2, 0));
    for (const next of [monthOf(now).end, newYear]) {
      advanceTo(addMinutes(next, -30));
      await free.join(link);
      const before = await getPlan(await loginAgain(free));
      expect(before.usage.calls_this_month).toBe(1);
      expect(before.current_period_end).toBe(next.toISOString());
      advanceTo(addMinutes(next, 5));
      const { start, end } = monthOf(next);
      const period = {
        current_period_start: start.toISOString(),
        current_period_end: end.toISOString(),
      };
      for (const tenant of [free, pending]) {
        const { usage, ...view } = await getPlan(await loginAgain(tenant));
        expect(view).toMatchObject({ ...period, max_users: 2 });
        expect(usage.calls_this_month).toBe(0);
      }
    }
    expect(currentMonth().current_period_start).toBe(newYear.toISOString());
  });

  it('an overdue plan keeps its limits for seven days, then has those of free until it is paid', async () => {
    const tenant = await registerPendingTenant(test, 'advanced');
    const overdue = test.clock.now();
    await applyNotification(test, tenant.id, 'PAYMENT_CONFIRMED', {
      at: new Date(overdue.getTime() - 31 * DAY_SECONDS * 1000),
    });
    await applyNotification(test, tenant.id, 'PAYMENT_OVERDUE', { at: overdue });
    const grace = new Date(overdue.getTime() + 7 * DAY_SECONDS * 1000);
    advanceTo(addMinutes(grace, -5));
    const before = await getPlan(await loginAgain(tenant));
    expect(before).toMatchObject({ plan: 'advanced', status: 'past_due', ...effectivePlan('advanced') });
    advanceTo(addMinutes(grace, 5));
    const owner = await loginAgain(tenant);
    expect(await getPlan(owner)).toEqual({ ...before, ...effectivePlan('free') });

    const paid = test.clock.now();
    await applyNotification(test, tenant.id, 'PAYMENT_RECEIVED', { at: paid });
    const toTheSecond = new Date(Math.trunc(paid.getTime() / 1000) * 1000);
    expect(await getPlan(owner)).toMatchObject({
      plan: 'advanced',
      status: 'active',
      ...effectivePlan('advanced'),
      current_period_start: toTheSecond.toISOString(),
    });
  });
});
