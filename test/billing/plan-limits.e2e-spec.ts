import { Controller, Get, Module } from '@nestjs/common';
import { type Feature, PLANS } from '../../src/plans/plan-catalogue';
import { RequiresFeature } from '../../src/plans/plan.guard';
import { MinimumRole } from '../../src/platform/access/access.decorators';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, login, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { chargeId, GATEWAY_ENV, applyNotification } from '../support/peers/payment-gateway';
import { startTestApp, type TestApp } from '../support/test-app';

const USERS = '/api/v1/users';
const DEPARTMENTS = '/api/v1/departments';
const GRACE_SECONDS = 7 * 86_400;

@Controller('probe')
@MinimumRole('attendant')
class FeatureProbe {
  @Get('recording')
  @RequiresFeature('recording')
  recording() {
    return {};
  }

  @Get('full_analytics')
  @RequiresFeature('full_analytics')
  analytics() {
    return {};
  }
}

@Module({ controllers: [FeatureProbe] })
class FeatureProbeModule {}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: GATEWAY_ENV, imports: [FeatureProbeModule] });
});

afterAll(() => test.close());

/** A time that many seconds from now, so later than earlier grants and payments. */
const inSeconds = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000);

let userCount = 0;
const newUser = () => ({ name: 'Nina New', email: `new${++userCount}@example.com`, role: 'attendant' });

/** Inserts existing users. @returns their ids */
async function seedUsers(tenantId: string, count: number, active: boolean): Promise<string[]> {
  const { rows } = await test.db.query<{ id: string }>(
    `INSERT INTO users (tenant_id, name, email, role, active)
     SELECT $1, 'User ' || n, gen_random_uuid() || '@example.com', 'attendant', $3 FROM generate_series(1, $2) AS n
     RETURNING id`,
    [tenantId, count, active],
  );
  return rows.map(({ id }) => id);
}

async function activeUsers(tenantId: string): Promise<number> {
  const { rows } = await test.db.query(
    'SELECT count(*)::int AS users FROM users WHERE tenant_id = $1 AND active',
    [tenantId],
  );
  return rows[0].users;
}

const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

function expectLimit(answer: Answer, detail: string): void {
  expectFailure(answer, 403, { code: 'plan_limit' });
  expect(answer.body.errors.detail).toBe(detail);
}

/** The features of the tenant's plan, found by calling their routes. */
async function featuresOf({ api }: Member): Promise<Feature[]> {
  const open: Feature[] = [];
  for (const feature of ['recording', 'full_analytics'] as const) {
    const answer = await api.get(`/probe/${feature}`);
    if (answer.status === 200) open.push(feature);
    else expectFailure(answer, 403, { code: 'feature_not_in_plan' });
  }
  return open;
}

/** A tenant on the paid plan "advanced" that has more of everything than the plan free allows. */
interface TenantOverFreePlan {
  tenant: TestTenant;
  charge: string;
  departments: Json[];
  link: Json;
  activeCalls: string[];
}

async function exceedFreePlan(): Promise<TenantOverFreePlan> {
  const tenant = await TestTenant.register(test, 'advanced');
  const charge = chargeId();
  await applyNotification(test, tenant.id, 'PAYMENT_CONFIRMED', { charge, at: inSeconds(1) });
  await seedUsers(tenant.id, 11, true);
  const { department, link } = await tenant.queue();
  const departments = [department, await tenant.department(), await tenant.department()];
  const activeCalls: string[] = [];
  for (let call = 1; call <= 2; call++) {
    const { call_id } = await tenant.join(link);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/start`), 200);
    activeCalls.push(call_id);
  }
  return { tenant, charge, departments, link, activeCalls };
}

/** Expects that everything is kept and usable, but that nothing can be added. */
async function expectFreeLimits(
  { tenant, departments, link, activeCalls }: TenantOverFreePlan,
  owner: Member,
): Promise<void> {
  const { api } = owner;
  expect((await api.get(USERS)).body.meta.total_count).toBe(12);
  expect((await api.get(DEPARTMENTS)).body.meta.total_count).toBe(3);
  for (const { id } of departments) {
    expectStatus(await api.put(`${DEPARTMENTS}/${id}`, { description: 'Still ours' }), 200);
  }
  const [someone] = (await api.get(`${USERS}?role=attendant`)).body.data;
  expectStatus(await api.put(`${USERS}/${someone.id}`, { name: 'Renamed', active: true }), 200);

  expectLimit(
    await api.post(USERS, newUser()),
    'The plan free allows 2 active users. The plan advanced allows more.',
  );
  expectLimit(
    await api.post(DEPARTMENTS, { name: 'One more' }),
    'The plan free allows 1 department. The plan advanced allows more.',
  );
  const { call_id } = await tenant.join(link);
  expectLimit(
    await api.post(`/api/v1/calls/${call_id}/start`),
    'The plan free allows 1 call at a time. The plan basic allows more.',
  );
  for (const call of activeCalls) expectStatus(await api.get(`/api/v1/calls/${call}`), 200);

  // A deactivated user cannot be activated again while there are too many.
  expectStatus(await api.put(`${USERS}/${someone.id}`, { active: false }), 200);
  expectFailure(await api.put(`${USERS}/${someone.id}`, { active: true }), 403, { code: 'plan_limit' });
  // After both active calls end, one call can start.
  for (const call of activeCalls) expectStatus(await api.post(`/api/v1/calls/${call}/complete`), 200);
  expectStatus(await api.post(`/api/v1/calls/${call_id}/start`), 200);
  expect(await featuresOf(owner)).toEqual([]);
}

async function expectLimitsLifted({ tenant }: TenantOverFreePlan, owner: Member): Promise<void> {
  expectStatus(await owner.api.post(USERS, newUser()), 201);
  expectStatus(await owner.api.post(DEPARTMENTS, { name: 'One more' }), 201);
  expect(await activeUsers(tenant.id)).toBe(12);
  expect(await featuresOf(owner)).toEqual(['recording', 'full_analytics']);
}

describe('a tenant that falls to a smaller plan keeps its data and cannot add more', () => {
  it('after a refund, until it pays again', async () => {
    const state = await exceedFreePlan();
    const { owner, id } = state.tenant;
    expect(await featuresOf(owner)).toEqual(['recording', 'full_analytics']);
    await applyNotification(test, id, 'PAYMENT_REFUNDED', { charge: state.charge, at: inSeconds(2) });
    await expectFreeLimits(state, owner);
    await applyNotification(test, id, 'PAYMENT_CONFIRMED', { at: inSeconds(4) });
    await expectLimitsLifted(state, owner);
  });

  it('after a charge is overdue for more than seven days, until it is paid', async () => {
    const state = await exceedFreePlan();
    const { id, slug, owner } = state.tenant;
    const charge = chargeId();
    await applyNotification(test, id, 'PAYMENT_OVERDUE', { charge, at: inSeconds(2) });
    test.clock.advance(GRACE_SECONDS - 3600);
    // Calls that an agent started over HTTP do not end after a week without a socket or a poll.
    const inGrace = await login(test, slug, owner.email);
    expect(await featuresOf(inGrace)).toEqual(['recording', 'full_analytics']);
    const { id: fifth } = (await inGrace.api.post(DEPARTMENTS, { name: 'In grace' })).body.data;
    expectStatus(await inGrace.api.delete(`${DEPARTMENTS}/${fifth}`), 204);

    test.clock.advance(7200);
    const afterwards = await login(test, slug, owner.email);
    await expectFreeLimits(state, afterwards);
    await applyNotification(test, id, 'PAYMENT_RECEIVED', { charge, at: test.clock.now() });
    await expectLimitsLifted(state, afterwards);
  });
});

describe('the error of a limit', () => {
  it.each([
    ['free', 2, 'The plan free allows 2 active users. The plan basic allows more.'],
    ['basic', 10, 'The plan basic allows 10 active users. The plan advanced allows more.'],
    ['advanced', 25, 'The plan advanced allows 25 active users. The plan professional allows more.'],
    ['professional', 50, 'The plan professional allows 50 active users. The plan enterprise allows more.'],
  ] as const)('of the plan %s names the next plan', async (plan, limit, detail) => {
    const { id, owner } = await TestTenant.register(test, plan);
    await seedUsers(id, limit - 2, true);
    expect(PLANS[plan].limits.max_users).toBe(limit);
    expectStatus(await owner.api.post(USERS, newUser()), 201);
    expectLimit(await owner.api.post(USERS, newUser()), detail);
  });

  it('names the first plan whose limit is high enough', async () => {
    const { id, owner } = await TestTenant.register(test, 'free');
    for (const [users, plan] of [
      [10, 'advanced'],
      [25, 'professional'],
      [50, 'enterprise'],
    ] as const) {
      await seedUsers(id, users - (await activeUsers(id)), true);
      const detail = `The plan free allows 2 active users. The plan ${plan} allows more.`;
      expectLimit(await owner.api.post(USERS, newUser()), detail);
    }
  });
});

const activate = ({ api }: Member, id: string) => api.put(`${USERS}/${id}`, { active: true });

describe('the last place for a user', () => {
  it('is taken by exactly one of several concurrent creations and reactivations', async () => {
    const { id, owner } = await TestTenant.register(test, 'basic');
    await seedUsers(id, 8, true);
    const idle = await seedUsers(id, 9, false);
    for (let round = 1; round <= 3; round++) {
      const [one = '', two = '', ...others] = idle;
      const answers = await Promise.all([
        activate(owner, one),
        owner.api.post(USERS, newUser()),
        owner.api.put(`${USERS}/${two}`, { active: true, role: 'supervisor', name: 'Back again' }),
        owner.api.post(USERS, newUser()),
        ...others.map((other) => activate(owner, other)),
      ]);
      expect(await activeUsers(id)).toBe(10);
      const [winner, ...otherWinners] = answers.filter(({ status }) => status < 300);
      expect(otherWinners).toEqual([]);
      const rejected = withStatus(answers, 403);
      expect(rejected.map(({ body }) => body.errors.code)).toEqual(Array(10).fill('plan_limit'));
      expectStatus(await owner.api.put(`${USERS}/${winner?.body.data.id}`, { active: false }), 200);
    }
  });

  it('is taken once by a user who is reactivated several times at once', async () => {
    const { id, owner } = await TestTenant.register(test, 'free');
    const [idle = ''] = await seedUsers(id, 1, false);
    const answers = await Promise.all(Array.from({ length: 6 }, () => activate(owner, idle)));
    expect(withStatus(answers, 200)).toHaveLength(6);
    expect(await activeUsers(id)).toBe(2);
  });

  it('is taken by at most one user when another one is deactivated at the same time', async () => {
    const { id, owner } = await TestTenant.register(test, 'free');
    const [going = ''] = await seedUsers(id, 1, true);
    const idle = await seedUsers(id, 5, false);
    const answers = await Promise.all([
      ...idle.slice(0, 3).map((user) => activate(owner, user)),
      owner.api.put(`${USERS}/${going}`, { active: false }),
      ...idle.slice(3).map((user) => activate(owner, user)),
    ]);
    const [deactivated] = answers.splice(3, 1);
    expect(deactivated?.status).toBe(200);
    const activated = withStatus(answers, 200);
    expect(activated.length).toBeLessThanOrEqual(1);
    expect(withStatus(answers, 403)).toHaveLength(5 - activated.length);
    expect(await activeUsers(id)).toBe(1 + activated.length);
  });
});

describe('the current limit', () => {
  it('is enforced when a refund arrives while users are added', async () => {
    const tenant = await TestTenant.register(test, 'advanced');
    await seedUsers(tenant.id, 2, true);
    const charge = chargeId();
    await applyNotification(test, tenant.id, 'PAYMENT_CONFIRMED', { charge, at: inSeconds(1) });
    const [, ...answers] = await Promise.all([
      applyNotification(test, tenant.id, 'PAYMENT_REFUNDED', { charge, at: inSeconds(2) }),
      ...Array.from({ length: 12 }, () => tenant.owner.api.post(USERS, newUser())),
    ]);
    const added = withStatus(answers, 201).length;
    expect(added + withStatus(answers, 403).length).toBe(12);
    expect(await activeUsers(tenant.id)).toBe(3 + added);
    expectFailure(await tenant.owner.api.post(USERS, newUser()), 403, { code: 'plan_limit' });
  });

  it('of departments is enforced for concurrent creations on larger plans', async () => {
    for (const [plan, limit] of [
      ['basic', 3],
      ['advanced', 10],
    ] as const) {
      const { id, owner } = await TestTenant.register(test, plan);
      const creates = Array.from({ length: limit + 4 }, (_, n) =>
        owner.api.post(DEPARTMENTS, { name: `Department ${n}` }),
      );
      const answers = await Promise.all(creates);
      expect(withStatus(answers, 201)).toHaveLength(limit);
      expect(withStatus(answers, 403)).toHaveLength(4);
      const { rows } = await test.db.query('SELECT FROM departments WHERE tenant_id = $1', [id]);
      expect(rows).toHaveLength(limit);
    }
  });

  it('of departments counts active ones only, even for concurrent reactivations', async () => {
    const { id, owner } = await TestTenant.register(test, 'basic');
    const create = (name: string) => owner.api.post(DEPARTMENTS, { name });
    const set = (department: string, active: boolean) =>
      owner.api.put(`${DEPARTMENTS}/${department}`, { active });
    const idle: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { body } = await create(`Idle ${n}`);
      expectStatus(await set(body.data.id, false), 200);
      idle.push(body.data.id);
    }
    expectStatus(await create('One'), 201);
    expectStatus(await create('Two'), 201);

    const answers = await Promise.all([create('Three'), ...idle.map((department) => set(department, true))]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const rejected = withStatus(answers, 403);
    expect(rejected.map(({ body }) => body.errors.code)).toEqual(Array(5).fill('plan_limit'));
    const { rows } = await test.db.query(
      'SELECT count(*) FILTER (WHERE active)::int AS active FROM departments WHERE tenant_id = $1',
      [id],
    );
    expect(rows[0].active).toBe(3);
    // An active department can be updated at the limit.
    const { body } = await owner.api.get(`${DEPARTMENTS}?search=One`);
    expectStatus(await set(body.data[0].id, true), 200);
  });
});

const LINKS = '/api/v1/access-links';

/** Inserts links, and forgets how many there are. */
async function seedLinks(
  tenantId: string,
  departmentId: string,
  count: number,
  values = 'NULL, NULL, NULL, 0',
) {
  await test.db.query(
    `INSERT INTO access_links (tenant_id, token, department_id, inserted_at, expires_at, cancelled_at, max_uses, use_count)
     SELECT $1, gen_random_uuid(), $2, now(), ${values} FROM generate_series(1, $3)`,
    [tenantId, departmentId, count],
  );
  await test.db.query('UPDATE tenants SET active_links_bound = NULL WHERE id = $1', [tenantId]);
}

describe('the limit of active links', () => {
  const DETAIL = 'The plan free allows 500 active access links. The plan basic allows more.';
  let tenant: TestTenant;
  let owner: Member['api'];
  let department: Json;
  const create = (input: Json = {}) => owner.post(LINKS, { department_id: department.id, ...input });
  const createBatch = (count: number) =>
    owner.post(`${LINKS}/batch`, {
      links: Array.from({ length: count }, () => ({ department_id: department.id })),
    });
  const usage = async () => (await owner.get('/api/v1/billing/plan')).body.data.usage.active_links;

  beforeEach(async () => {
    tenant = await TestTenant.register(test, 'free');
    owner = tenant.owner.api;
    department = await tenant.department();
  });

  it('counts links that can still be used', async () => {
    const past = `now() - interval '1 day'`;
    for (const ended of [`${past}, NULL, NULL, 0`, `NULL, now(), NULL, 0`, `NULL, NULL, 2, 2`]) {
      await seedLinks(tenant.id, department.id, 300, ended);
    }
    await seedLinks(tenant.id, department.id, 249, `NULL, NULL, 2, 1`);
    await seedLinks(tenant.id, department.id, 249, `'${inSeconds(3600).toISOString()}', NULL, NULL, 0`);
    expect(await usage()).toBe(498);
    expectStatus(await createBatch(1), 201);
    const last = await create();
    expectStatus(last, 201);
    expectLimit(await create(), DETAIL);
    expectLimit(await createBatch(2), DETAIL);
    expect(await usage()).toBe(500);
    // Each way to end a link makes room for another one at once.
    expectStatus(await owner.post(`${LINKS}/${last.body.data.id}/cancel`), 200);
    const single = await create({ max_uses: 1 });
    expectLimit(await create(), DETAIL);
    await tenant.join(single.body.data);
    const brief = await create({ expires_at: inSeconds(60).toISOString() });
    expectStatus(brief, 201);
    expectLimit(await create(), DETAIL);
    test.clock.advance(120);
    ({ api: owner } = await login(test, tenant.slug, tenant.owner.email));
    expectStatus(await create(), 201);
    expectLimit(await create(), DETAIL);
  });

  it('leaves the last places to exactly as many of several concurrent links, batches and confirmations', async () => {
    await seedLinks(tenant.id, department.id, 497);
    const book = (hour: number, confirm: boolean) =>
      owner.post('/api/v1/appointments', {
        user_id: tenant.owner.id,
        department_id: department.id,
        starts_at: inSeconds(hour * 3600).toISOString(),
        ends_at: inSeconds(hour * 3600 + 600).toISOString(),
        confirm,
      });
    const booked = (await book(1, false)).body.data;
    const answers = await Promise.all([
      createBatch(2),
      create(),
      createBatch(2),
      book(2, true),
      owner.post(`/api/v1/appointments/${booked.id}/confirm`),
      owner.put(`/api/v1/appointments/${booked.id}`, { confirm: true }),
      create(),
    ]);
    for (const { status, body } of answers) {
      if (status !== 403) expect([200, 201, 422]).toContain(status);
      else expect(body.errors.code).toBe('plan_limit');
    }
    expect(await usage()).toBe(500);
    expectLimit(await create(), DETAIL);
  });

  it('does not count the links of a deleted department, and counts those of an inactive one', async () => {
    await seedLinks(tenant.id, department.id, 500);
    expectStatus(await owner.put(`${DEPARTMENTS}/${department.id}`, { active: false }), 200);
    const other = await tenant.department();
    expectLimit(await create({ department_id: other.id }), DETAIL);
    expectStatus(await owner.delete(`${DEPARTMENTS}/${department.id}`), 204);
    expect(await usage()).toBe(0);
    expectStatus(await create({ department_id: other.id }), 201);
  });

  it('counts an expired link of an appointment that is moved to the future', async () => {
    await seedLinks(tenant.id, department.id, 499);
    const { body } = await owner.post('/api/v1/appointments', {
      user_id: tenant.owner.id,
      department_id: department.id,
      starts_at: inSeconds(-7200).toISOString(),
      ends_at: inSeconds(-3600).toISOString(),
      confirm: true,
    });
    expect(body.data.access_link.status).toBe('expired');
    expectStatus(await create(), 201);
    const move = { starts_at: inSeconds(3600).toISOString(), ends_at: inSeconds(7200).toISOString() };
    expectLimit(await owner.put(`/api/v1/appointments/${body.data.id}`, move), DETAIL);
    await test.db.query(
      'UPDATE access_links SET cancelled_at = now() WHERE expires_at IS NULL AND tenant_id = $1',
      [tenant.id],
    );
    expectStatus(await owner.put(`/api/v1/appointments/${body.data.id}`, move), 200);
    expect(await usage()).toBe(1);
  });
});
