import type { Json } from '../support/http/api';
import { expectStatus, type Member, PASSWORD, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const USERS = '/api/v1/users';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

let userCount = 0;
const newUser = (role = 'attendant') => ({
  name: 'Nina Nova',
  email: `n${++userCount}@example.com`,
  role,
  password: PASSWORD,
});

const updateUser = (actor: Member, id: string, body: Json) => actor.api.put(`${USERS}/${id}`, body);

describe('the last active owner', () => {
  it.each([{ role: 'manager' }, { active: false }])('cannot be updated with %j', async (change) => {
    const { owner } = await TestTenant.register(test);
    expectFailure(await updateUser(owner, owner.id, change), 422, { code: 'last_owner' });
    expect((await owner.api.get(`${USERS}/me`)).body.data).toMatchObject({ role: 'owner', active: true });
  });

  it('can be demoted once another owner is active', async () => {
    const tenant = await TestTenant.register(test);
    const second = await tenant.member('owner');
    expectStatus(await updateUser(tenant.owner, second.id, { active: false }), 200);
    expectFailure(await updateUser(tenant.owner, tenant.owner.id, { role: 'manager' }), 422, {
      code: 'last_owner',
    });
    expectStatus(await updateUser(tenant.owner, second.id, { active: true }), 200);
    expectStatus(await updateUser(tenant.owner, tenant.owner.id, { role: 'manager' }), 200);
  });

  it('remains when two owners demote each other at once', async () => {
    const tenant = await TestTenant.register(test);
    const second = await tenant.member('owner');
    const answers = await Promise.all([
      updateUser(tenant.owner, second.id, { role: 'attendant' }),
      updateUser(second, tenant.owner.id, { role: 'attendant' }),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    const { rows } = await test.db.query(
      `SELECT id FROM users WHERE tenant_id = $1 AND role = 'owner' AND active`,
      [tenant.id],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('deactivating a user', () => {
  it("invalidates the user's tokens at once, and activating allows a new login", async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member('supervisor');
    expectStatus(await member.api.get(`${USERS}/me`), 200);
    expectStatus(await updateUser(tenant.owner, member.id, { active: false }), 200);
    expectFailure(await member.api.get(`${USERS}/me`), 401, { code: 'session_ended' });
    const credentials = { tenant: tenant.slug, email: member.email, password: PASSWORD };
    expectFailure(await test.api.post('/api/auth/login', credentials), 401, { code: 'invalid_credentials' });
    expectStatus(await updateUser(tenant.owner, member.id, { active: true }), 200);
    expectFailure(await member.api.get(`${USERS}/me`), 401);
    expectStatus(await test.api.post('/api/auth/login', credentials), 200);
  });

  it('by another instance takes effect within 5 s', async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member();
    expectStatus(await member.api.get(`${USERS}/me`), 200);
    // A change by another instance is visible here only in the row.
    await test.db.query('UPDATE users SET active = false WHERE id = $1', [member.id]);
    test.clock.advance(5.001);
    expectFailure(await member.api.get(`${USERS}/me`), 401, { code: 'session_ended' });
  });

  it('a change of role takes effect at the next request', async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member('supervisor');
    expectStatus(await member.api.get(USERS), 200);
    expectStatus(await updateUser(tenant.owner, member.id, { role: 'attendant' }), 200);
    expectFailure(await member.api.get(USERS), 403);
  });
});

describe('the user limit', () => {
  it('allows one of several concurrent creations for one free place', async () => {
    const { id, owner } = await TestTenant.register(test, 'free');
    const answers = await Promise.all(Array.from({ length: 4 }, () => owner.api.post(USERS, newUser())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    for (const answer of answers.filter(({ status }) => status === 403)) {
      expectFailure(answer, 403, { code: 'plan_limit' });
    }
    const { rows } = await test.db.query('SELECT FROM users WHERE tenant_id = $1', [id]);
    expect(rows).toHaveLength(2);
  });

  it('counts active users only, and also limits reactivation', async () => {
    const { owner } = await TestTenant.register(test, 'free');
    const first = (await owner.api.post(USERS, newUser())).body.data;
    expectStatus(await updateUser(owner, first.id, { active: false }), 200);
    const second = (await owner.api.post(USERS, newUser())).body.data;
    expectFailure(await updateUser(owner, first.id, { active: true }), 403, { code: 'plan_limit' });
    expectStatus(await updateUser(owner, second.id, { active: true, name: 'Still here' }), 200);
    expectStatus(await updateUser(owner, second.id, { active: false }), 200);
    const answers = await Promise.all(
      [first, second].map(({ id }) => updateUser(owner, id, { active: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});
