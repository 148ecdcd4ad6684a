import { Controller, Get, Module } from '@nestjs/common';
import { type Feature, PLANS } from '../../src/plans/plan-catalogue';
import { RequiresFeature } from '../../src/plans/feature.guard';
import { MinimumRole } from '../../src/platform/access/access.decorators';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, login, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { chargeId, GATEWAY_ENV, pay } from '../support/peers/payment-gateway';
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

/** Later than what was granted or paid before. */
const inSeconds = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000);

let counter = 0;
const newUser = () => ({ name: 'Nina New', email: `new${++counter}@example.com`, role: 'attendant' });

/** Users who were there before, made at once. @returns their ids */
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

/** Each feature that the tenant's plan has, as its routes know it. */
async function features({ api }: Member): Promise<Feature[]> {
  const open: Feature[] = [];
  for (const feature of ['recording', 'full_analytics'] as const) {
    const answer = await api.get(`/probe/${feature}`);
    if (answer.status === 200) open.push(feature);
    else expectFailure(answer, 403, { code: 'feature_not_in_plan' });
  }
  return open;
}

/** More of everything than the plan free allows: on "advanced", since it paid for it. */
interface Grown {
  tenant: TestTenant;
  charge: string;
  departments: Json[];
  link: Json;
  talking: string[];
}

async function grow(): Promise<Grown> {
  const tenant = await TestTenant.register(test, 'advanced');
  const charge = chargeId();
  await pay(test, tenant.id, 'PAYMENT_CONFIRMED', { charge, at: inSeconds(1) });
  await seedUsers(tenant.id, 11, true);
  const { department, link } = await tenant.queue();
  const departments = [department, await tenant.department(), await tenant.department()];
  const talking: string[] = [];
  for (let call = 1; call <= 2; call++) {
    const { call_id } = await tenant.join(link);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/start`), 200);
    talking.push(call_id);
  }
  return { tenant, charge, departments, link, talking };
}

/** Nothing is lost and everything can be worked with; only more cannot be had. */
async function expectStuckOnFree(
  { tenant, departments, link, talking }: Grown,
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
  for (const call of talking) expectStatus(await api.get(`/api/v1/calls/${call}`), 200);

  // Who goes does not come back while there are too many.
  expectStatus(await api.put(`${USERS}/${someone.id}`, { active: false }), 200);
  expectFailure(await api.put(`${USERS}/${someone.id}`, { active: true }), 403, { code: 'plan_limit' });
  // The one call that fits takes the place of the two that talk.
  for (const call of talking) expectStatus(await api.post(`/api/v1/calls/${call}/complete`), 200);
  expectStatus(await api.post(`/api/v1/calls/${call_id}/start`), 200);
  expect(await features(owner)).toEqual([]);
}

async function expectRoomAgain({ tenant }: Grown, owner: Member): Promise<void> {
  expectStatus(await owner.api.post(USERS, newUser()), 201);
  expectStatus(await owner.api.post(DEPARTMENTS, { name: 'One more' }), 201);
  expect(await activeUsers(tenant.id)).toBe(12);
  expect(await features(owner)).toEqual(['recording', 'full_analytics']);
}

describe('a tenant that falls to a smaller plan keeps what it has and can no longer add', () => {
  it('by a refund, until it pays again', async () => {
    const grown = await grow();
    const { owner, id } = grown.tenant;
    expect(await features(owner)).toEqual(['recording', 'full_analytics']);
    await pay(test, id, 'PAYMENT_REFUNDED', { charge: grown.charge, at: inSeconds(2) });
    await expectStuckOnFree(grown, owner);
    await pay(test, id, 'PAYMENT_CONFIRMED', { at: inSeconds(4) });
    await expectRoomAgain(grown, owner);
  });

  it('by a charge that stays overdue for more than seven days, until it is paid', async () => {
    const grown = await grow();
    const { id, slug, owner } = grown.tenant;
    const charge = chargeId();
    await pay(test, id, 'PAYMENT_OVERDUE', { charge, at: inSeconds(2) });
    test.clock.advance(GRACE_SECONDS - 3600);
    // A week without a socket or a poll does not end calls that an agent took by hand.
    const inGrace = await login(test, slug, owner.email);
    expect(await features(inGrace)).toEqual(['recording', 'full_analytics']);
    const { id: fifth } = (await inGrace.api.post(DEPARTMENTS, { name: 'In grace' })).body.data;
    expectStatus(await inGrace.api.delete(`${DEPARTMENTS}/${fifth}`), 204);

    test.clock.advance(7200);
    const afterwards = await login(test, slug, owner.email);
    await expectStuckOnFree(grown, afterwards);
    await pay(test, id, 'PAYMENT_RECEIVED', { charge, at: test.clock.now() });
    await expectRoomAgain(grown, afterwards);
  });
});

describe('the sentence of a limit', () => {
  it.each([
    ['free', 2, 'The plan free allows 2 active users. The plan basic allows more.'],
    ['basic', 10, 'The plan basic allows 10 active users. The plan advanced allows more.'],
    ['advanced', 25, 'The plan advanced allows 25 active users. The plan professional allows more.'],
    ['professional', 50, 'The plan professional allows 50 active users. The plan enterprise allows more.'],
  ] as const)('%s names the plan above', async (plan, most, detail) => {
    const { id, owner } = await TestTenant.register(test, plan);
    await seedUsers(id, most - 2, true);
    expect(PLANS[plan].limits.max_users).toBe(most);
    expectStatus(await owner.api.post(USERS, newUser()), 201);
    expectLimit(await owner.api.post(USERS, newUser()), detail);
  });

  it('names one that lifts it, not one that is full before it begins', async () => {
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
  it('is taken by one of those who are reactivated, made and reactivated with other changes', async () => {
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
      const [won, ...more] = answers.filter(({ status }) => status < 300);
      expect(more).toEqual([]);
      const lost = withStatus(answers, 403);
      expect(lost.map(({ body }) => body.errors.code)).toEqual(Array(10).fill('plan_limit'));
      expectStatus(await owner.api.put(`${USERS}/${won?.body.data.id}`, { active: false }), 200);
    }
  });

  it('is taken once by one who is reactivated many times at once', async () => {
    const { id, owner } = await TestTenant.register(test, 'free');
    const [idle = ''] = await seedUsers(id, 1, false);
    const answers = await Promise.all(Array.from({ length: 6 }, () => activate(owner, idle)));
    expect(withStatus(answers, 200)).toHaveLength(6);
    expect(await activeUsers(id)).toBe(2);
  });

  it('is given to the next when one goes at the same time, or to nobody, never to two', async () => {
    const { id, owner } = await TestTenant.register(test, 'free');
    const [going = ''] = await seedUsers(id, 1, true);
    const idle = await seedUsers(id, 5, false);
    const answers = await Promise.all([
      ...idle.slice(0, 3).map((user) => activate(owner, user)),
      owner.api.put(`${USERS}/${going}`, { active: false }),
      ...idle.slice(3).map((user) => activate(owner, user)),
    ]);
    const [left] = answers.splice(3, 1);
    expect(left?.status).toBe(200);
    const came = withStatus(answers, 200);
    expect(came.length).toBeLessThanOrEqual(1);
    expect(withStatus(answers, 403)).toHaveLength(5 - came.length);
    expect(await activeUsers(id)).toBe(1 + came.length);
  });
});

describe('the limit in force', () => {
  it('is counted right while a refund comes between those who add users', async () => {
    const tenant = await TestTenant.register(test, 'advanced');
    await seedUsers(tenant.id, 2, true);
    const charge = chargeId();
    await pay(test, tenant.id, 'PAYMENT_CONFIRMED', { charge, at: inSeconds(1) });
    const [, ...answers] = await Promise.all([
      pay(test, tenant.id, 'PAYMENT_REFUNDED', { charge, at: inSeconds(2) }),
      ...Array.from({ length: 12 }, () => tenant.owner.api.post(USERS, newUser())),
    ]);
    const added = withStatus(answers, 201).length;
    expect(added + withStatus(answers, 403).length).toBe(12);
    expect(await activeUsers(tenant.id)).toBe(3 + added);
    expectFailure(await tenant.owner.api.post(USERS, newUser()), 403, { code: 'plan_limit' });
  });

  it('of departments holds for parallel creates on greater plans, too', async () => {
    for (const [plan, most] of [
      ['basic', 3],
      ['advanced', 10],
    ] as const) {
      const { id, owner } = await TestTenant.register(test, plan);
      const creates = Array.from({ length: most + 4 }, (_, n) =>
        owner.api.post(DEPARTMENTS, { name: `Department ${n}` }),
      );
      const answers = await Promise.all(creates);
      expect(withStatus(answers, 201)).toHaveLength(most);
      expect(withStatus(answers, 403)).toHaveLength(4);
      const { rows } = await test.db.query('SELECT FROM departments WHERE tenant_id = $1', [id]);
      expect(rows).toHaveLength(most);
    }
  });

  it('of departments counts the active ones, also when some are activated again at once', async () => {
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
    const lost = withStatus(answers, 403);
    expect(lost.map(({ body }) => body.errors.code)).toEqual(Array(5).fill('plan_limit'));
    const { rows } = await test.db.query(
      'SELECT count(*) FILTER (WHERE active)::int AS active FROM departments WHERE tenant_id = $1',
      [id],
    );
    expect(rows[0].active).toBe(3);
    // One that is active already stays so, and may be edited.
    const { body } = await owner.api.get(`${DEPARTMENTS}?search=One`);
    expectStatus(await set(body.data[0].id, true), 200);
  });
});
