import { Database } from '../../src/platform/database/database';
import { monthOf } from '../../src/plans/period';
import { PLAN_NAMES, type PlanName, PLANS } from '../../src/plans/plan-catalogue';
import { StorageUsage } from '../../src/plans/storage-usage';
import { UsageRegistry } from '../../src/plans/usage-registry';
import type { Json } from '../support/http/api';
import { expectStatus, login, type Member, TestTenant } from '../support/builders';
import { asSuperuser } from '../support/database/database';
import { expectFailure } from '../support/database/failures';
import { chargeId, pay, pendingTenant, startGatewayApp } from '../support/peers/payment-gateway';
import type { TestApp } from '../support/test-app';

const PLAN = '/api/v1/billing/plan';
const DAY = 86_400;

let test: TestApp;

beforeAll(async () => {
  test = await startGatewayApp();
});

afterAll(() => test.close());

async function planOf(owner: Member): Promise<Json> {
  const answer = await owner.api.get(PLAN);
  expectStatus(answer, 200);
  return answer.body.data;
}

const nothingUsed = { active_users: 1, active_departments: 0, calls_this_month: 0, recording_storage_mb: 0 };

const thisMonth = () => {
  const { start, end } = monthOf(test.clock.now());
  return { current_period_start: start.toISOString(), current_period_end: end.toISOString() };
};

/** What the catalogue says of a plan, as the view shows it. */
function inForce(name: PlanName): Json {
  const { limits, features } = PLANS[name];
  return {
    ...limits,
    recording_enabled: features.includes('recording'),
    transcription_enabled: features.includes('transcription'),
    analytics_enabled: ['advanced', 'professional', 'enterprise'].includes(name),
  };
}

describe('the plan of a tenant', () => {
  it.each(PLAN_NAMES)('%s: chosen, then paid for, refunded and overdue', async (plan) => {
    const { id, owner } = await pendingTenant(test, plan);
    const status = plan === 'free' ? 'active' : 'pending';
    const chosen = { plan, status, ...inForce('free'), ...thisMonth(), usage: nothingUsed };
    expect(await planOf(owner)).toEqual(chosen);
    if (plan === 'free') return;

    const charge = chargeId();
    const start = new Date('2026-01-31T15:30:00Z');
    await pay(test, id, 'PAYMENT_CONFIRMED', { charge, at: start });
    const paid = {
      current_period_start: '2026-01-31T15:30:00.000Z',
      current_period_end: '2026-02-28T15:30:00.000Z',
    };
    expect(await planOf(owner)).toEqual({
      plan,
      status: 'active',
      ...inForce(plan),
      ...paid,
      usage: nothingUsed,
    });

    await pay(test, id, 'PAYMENT_OVERDUE', { at: test.clock.now() });
    expect(await planOf(owner)).toMatchObject({ plan, status: 'past_due', ...inForce(plan), ...paid });

    const soon = new Date(test.clock.now().getTime() + 2000);
    await pay(test, id, 'PAYMENT_REFUNDED', { charge, at: soon });
    expect(await planOf(owner)).toMatchObject({ plan, status: 'canceled', ...inForce('free'), ...paid });
  });

  it('has no limit where the view says null', async () => {
    const { owner } = await TestTenant.register(test, 'enterprise');
    expect(await planOf(owner)).toMatchObject({
      max_concurrent_calls: null,
      max_users: null,
      max_departments: null,
    });
  });

  it('is for managers and owners', async () => {
    const tenant = await TestTenant.register(test);
    for (const role of ['attendant', 'supervisor'] as const) {
      expectFailure(await (await tenant.member(role)).api.get(PLAN), 403, { code: 'forbidden' });
    }
    expect(await planOf(await tenant.member('manager'))).toEqual(await planOf(tenant.owner));
    expectFailure(await test.api.get(PLAN), 401);
  });

  it('cannot be written', async () => {
    const { owner } = await TestTenant.register(test);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expectFailure(await owner.api.send(method, PLAN, { body: { plan: 'enterprise' } }), 404);
    }
  });
});

/** What recordings take, in a transaction of its own. */
const store = (tenantId: string, bytes: number) =>
  test.get(Database).tenant(tenantId, (tx) => test.get(StorageUsage).add(tx, tenantId, bytes));

describe('what is used of it', () => {
  it('is counted live, and nobody else is counted', async () => {
    const [tenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
    await other.member();
    const others = await other.queue();
    await other.join(others.link);
    await store(other.id, 5_000_000);
    expect((await planOf(tenant.owner)).usage).toEqual(nothingUsed);

    const member = await tenant.member();
    const { department, link } = await tenant.queue();
    await tenant.department();
    await tenant.join(link);
    const { call_id } = await tenant.join(link);
    await store(tenant.id, 1_840_000_000);
    const used = {
      active_users: 2,
      active_departments: 2,
      calls_this_month: 2,
      recording_storage_mb: 1840,
    };
    expect((await planOf(tenant.owner)).usage).toEqual(used);

    const { api } = tenant.owner;
    expectStatus(await api.put(`/api/v1/users/${member.id}`, { active: false }), 200);
    expectStatus(await api.put(`/api/v1/departments/${department.id}`, { active: false }), 200);
    expectStatus(await api.post(`/api/v1/calls/${call_id}/complete`), 200);
    await store(tenant.id, -840_000_000);
    expect((await planOf(tenant.owner)).usage).toEqual({
      ...used,
      active_users: 1,
      active_departments: 1,
      recording_storage_mb: 1000,
    });
  });

  it('is counted with an index among 200,000 calls, also once the statement is prepared', async () => {
    const tenant = await TestTenant.register(test);
    const month = monthOf(test.clock.now()).start;
    await test.db.query('SET session_replication_role = replica');
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_name, customer_name, estimated_wait_time, inserted_at,
         updated_at, ended_at)
       SELECT $1, 'completed', 'Sales', 'Wanda', 0, at, at, at
       FROM generate_series(-179999, 20000) AS n, LATERAL (SELECT $2::timestamptz + n * interval '1 minute' AS at) AS t`,
      [tenant.id, month],
    );
    await test.db.query('SET session_replication_role = origin');
    await test.db.query('ANALYZE calls');
    const { text } = test.get(UsageRegistry).statement(tenant.id, month);
    const plan = await asSuperuser(test.databaseUrl, async (client) => {
      await client.query('SET ROLE video_queue_app');
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenant.id]);
      await client.query(`PREPARE usage AS ${text}`);
      const usage = `EXECUTE usage ('${tenant.id}', '${month.toISOString()}')`;
      // From the sixth on PostgreSQL may keep one plan for all months.
      for (let execution = 1; execution <= 8; execution++) await client.query(usage);
      const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${usage}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/calls_inserted_idx/);
    expect(plan).not.toMatch(/Seq Scan on calls/);
    expect((await planOf(tenant.owner)).usage.calls_this_month).toBe(20_001);
  });
});

/** Moves the clock to the moment, which has to be ahead; whoever is logged in has to log in again. */
const travelTo = (moment: Date) => test.clock.advance((moment.getTime() - test.clock.now().getTime()) / 1000);
const minutes = (moment: Date, count: number) => new Date(moment.getTime() + count * 60_000);
const again = ({ slug, owner }: { slug: string; owner: Member }) => login(test, slug, owner.email);

describe('as time goes by', () => {
  it('the period of free and pending, and the calls of a month, follow the calendar in UTC', async () => {
    const free = await TestTenant.register(test, 'free');
    const pending = await pendingTenant(test);
    const { link } = await free.queue();
    // The end of this month, and that of the year after.
    const now = test.clock.now();
    const newYear = new Date(Date.UTC(now.getUTCFullYear() + 2, 0));
    for (const next of [monthOf(now).end, newYear]) {
      travelTo(minutes(next, -30));
      await free.join(link);
      const before = await planOf(await again(free));
      expect(before.usage.calls_this_month).toBe(1);
      expect(before.current_period_end).toBe(next.toISOString());
      travelTo(minutes(next, 5));
      const { start, end } = monthOf(next);
      const period = {
        current_period_start: start.toISOString(),
        current_period_end: end.toISOString(),
      };
      for (const tenant of [free, pending]) {
        const { usage, ...view } = await planOf(await again(tenant));
        expect(view).toMatchObject({ ...period, max_users: 2 });
        expect(usage.calls_this_month).toBe(0);
      }
    }
    expect(thisMonth().current_period_start).toBe(newYear.toISOString());
  });

  it('a plan that is overdue stays for seven days, then is free, until it is paid', async () => {
    const tenant = await pendingTenant(test, 'advanced');
    const overdue = test.clock.now();
    await pay(test, tenant.id, 'PAYMENT_CONFIRMED', { at: new Date(overdue.getTime() - 31 * DAY * 1000) });
    await pay(test, tenant.id, 'PAYMENT_OVERDUE', { at: overdue });
    const grace = new Date(overdue.getTime() + 7 * DAY * 1000);
    travelTo(minutes(grace, -5));
    const before = await planOf(await again(tenant));
    expect(before).toMatchObject({ plan: 'advanced', status: 'past_due', ...inForce('advanced') });
    travelTo(minutes(grace, 5));
    const owner = await again(tenant);
    expect(await planOf(owner)).toEqual({ ...before, ...inForce('free') });

    const paid = test.clock.now();
    await pay(test, tenant.id, 'PAYMENT_RECEIVED', { at: paid });
    const toTheSecond = new Date(Math.trunc(paid.getTime() / 1000) * 1000);
    expect(await planOf(owner)).toMatchObject({
      plan: 'advanced',
      status: 'active',
      ...inForce('advanced'),
      current_period_start: toTheSecond.toISOString(),
    });
  });
});
