import type { Json } from '../support/http/api';
import { expectStatus, type Member, PASSWORD, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';

const USERS = '/api/v1/users';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

let counter = 0;
const newUser = (role = 'attendant') => ({
  name: 'Nina Nova',
  email: `n${++counter}@example.com`,
  role,
  password: PASSWORD,
});

const put = (actor: Member, id: string, body: Json) => actor.api.put(`${USERS}/${id}`, body);

describe('the last active owner', () => {
  it.each([{ role: 'manager' }, { active: false }])('cannot be updated with %j', async (change) => {
    const { owner } = await TestTenant.register(test);
    expectFailure(await put(owner, owner.id, change), 422, { code: 'last_owner' });
    expect((await owner.api.get(`${USERS}/me`)).body.data).toMatchObject({ role: 'owner', active: true });
  });

  it('is not the last while there is another, and a deactivated one does not count', async () => {
    const tenant = await TestTenant.register(test);
    const second = await tenant.member('owner');
    expectStatus(await put(tenant.owner, second.id, { active: false }), 200);
    expectFailure(await put(tenant.owner, tenant.owner.id, { role: 'manager' }), 422, { code: 'last_owner' });
    expectStatus(await put(tenant.owner, second.id, { active: true }), 200);
    expectStatus(await put(tenant.owner, tenant.owner.id, { role: 'manager' }), 200);
  });

  it('stays when two owners demote each other at once', async () => {
    const tenant = await TestTenant.register(test);
    const second = await tenant.member('owner');
    const answers = await Promise.all([
      put(tenant.owner, second.id, { role: 'attendant' }),
      put(second, tenant.owner.id, { role: 'attendant' }),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    const { rows } = await test.db.query(
      `SELECT id FROM users WHERE tenant_id = $1 AND role = 'owner' AND active`,
      [tenant.id],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('deactivating', () => {
  it("stops the user's tokens at once, and activating opens the way in again", async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member('supervisor');
    expectStatus(await member.api.get(`${USERS}/me`), 200);
    expectStatus(await put(tenant.owner, member.id, { active: false }), 200);
    expectFailure(await member.api.get(`${USERS}/me`), 401, { code: 'session_ended' });
    const credentials = { tenant: tenant.slug, email: member.email, password: PASSWORD };
    expectFailure(await test.api.post('/api/auth/login', credentials), 401, { code: 'invalid_credentials' });
    expectStatus(await put(tenant.owner, member.id, { active: true }), 200);
    expectFailure(await member.api.get(`${USERS}/me`), 401);
    expectStatus(await test.api.post('/api/auth/login', credentials), 200);
  });

  it('by another instance is known within 5 s', async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member();
    expectStatus(await member.api.get(`${USERS}/me`), 200);
    // What this instance hears of another's change is the row alone.
    await test.db.query('UPDATE users SET active = false WHERE id = $1', [member.id]);
    test.clock.advance(5.001);
    expectFailure(await member.api.get(`${USERS}/me`), 401, { code: 'session_ended' });
  });

  it('a change of role counts at the next request', async () => {
    const tenant = await TestTenant.register(test);
    const member = await tenant.member('supervisor');
    expectStatus(await member.api.get(USERS), 200);
    expectStatus(await put(tenant.owner, member.id, { role: 'attendant' }), 200);
    expectFailure(await member.api.get(USERS), 403);
  });
});

describe('the limit of users', () => {
  it('of two parallel creates for one free place lets one through', async () => {
    const { id, owner } = await TestTenant.register(test, 'free');
    const answers = await Promise.all(Array.from({ length: 4 }, () => owner.api.post(USERS, newUser())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    for (const answer of answers.filter(({ status }) => status === 403)) {
      expectFailure(answer, 403, { code: 'plan_limit' });
    }
    const { rows } = await test.db.query('SELECT FROM users WHERE tenant_id = $1', [id]);
    expect(rows).toHaveLength(2);
  });

  it('counts the active ones, also when one is activated again', async () => {
    const { owner } = await TestTenant.register(test, 'free');
    const first = (await owner.api.post(USERS, newUser())).body.data;
    expectStatus(await put(owner, first.id, { active: false }), 200);
    const second = (await owner.api.post(USERS, newUser())).body.data;
    expectFailure(await put(owner, first.id, { active: true }), 403, { code: 'plan_limit' });
    expectStatus(await put(owner, second.id, { active: true, name: 'Still here' }), 200);
    expectStatus(await put(owner, second.id, { active: false }), 200);
    const answers = await Promise.all([first, second].map(({ id }) => put(owner, id, { active: true })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});
