import type { Json } from '../support/http/api';
import { expectStatus, login, type Member, PASSWORD, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const USERS = '/api/v1/users';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let staff: Record<string, Member | undefined>;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  staff = {
    attendant: await tenant.member('attendant'),
    supervisor: await tenant.member('supervisor'),
    manager: await tenant.member('manager'),
    owner: tenant.owner,
  };
});

afterAll(() => test.close());

const apiOf = (role: string) => (staff[role] as Member).api;

let userCount = 0;
const newUser = (input: Json = {}) => ({
  name: 'Nina Nova',
  email: `nina${++userCount}@example.com`,
  role: 'attendant',
  password: PASSWORD,
  ...input,
});

async function createUser(input: Json = {}): Promise<Json> {
  const answer = await tenant.owner.api.post(USERS, newUser(input));
  expectStatus(answer, 201);
  return answer.body.data;
}

describe('roles', () => {
  it.each([
    ['GET', '/me', 'attendant'],
    ['GET', '', 'supervisor'],
    ['GET', '/:id', 'supervisor'],
    ['POST', '', 'manager'],
    ['PUT', '/:id', 'manager'],
  ])('%s /users%s requires the role %s or a higher one', async (method, path, minimum) => {
    const roles = ['attendant', 'supervisor', 'manager', 'owner'];
    for (const role of roles) {
      const user = await createUser();
      const body = method === 'GET' ? undefined : newUser();
      const answer = await apiOf(role).send(method, USERS + path.replace(':id', user.id), { body });
      if (roles.indexOf(role) >= roles.indexOf(minimum)) expect(answer.status).toBeLessThan(300);
      else expectFailure(answer, 403, { code: 'forbidden' });
    }
    expectFailure(await test.api.send(method, USERS + path.replace(':id', someId())), 401);
  });

  it.each(['supervisor', 'manager'])('a manager can grant %s', async (role) => {
    const answer = await apiOf('manager').post(USERS, newUser({ role }));
    expect(answer.body.data.role).toBe(role);
  });

  it('a manager cannot grant a higher role or edit a user who has one', async () => {
    const before = await apiOf('manager').get(`${USERS}/${tenant.owner.id}`);
    const attendant = await createUser();
    const manager = apiOf('manager');
    for (const answer of [
      await manager.post(USERS, newUser({ role: 'owner' })),
      await manager.put(`${USERS}/${attendant.id}`, { role: 'owner' }),
      await manager.put(`${USERS}/${tenant.owner.id}`, { name: 'Fired' }),
      await manager.put(`${USERS}/${tenant.owner.id}`, { role: 'attendant' }),
    ]) {
      expectFailure(answer, 403, { code: 'forbidden' });
    }
    expect((await manager.get(`${USERS}/${tenant.owner.id}`)).body).toEqual(before.body);
    expect((await manager.get(`${USERS}/${attendant.id}`)).body.data.role).toBe('attendant');
  });
});

describe('creating and reading users', () => {
  it('returns the complete user, who can log in', async () => {
    const department = await tenant.department();
    const input = newUser({ phone: '+55 11 91234-5678', department_ids: [department.id] });
    const answer = await apiOf('manager').post(USERS, input);
    expect(answer.status).toBe(201);
    const user = answer.body.data;
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Nina Nova',
      email: input.email,
      phone: '+55 11 91234-5678',
      avatar_url: null,
      role: 'attendant',
      active: true,
      invited: false,
      mfa_enabled: false,
      department_ids: [department.id],
      skills: [],
      presence: 'offline',
      last_login_at: null,
      inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await apiOf('supervisor').get(`${USERS}/${user.id}`)).body.data).toEqual(user);
    const member = await login(test, tenant.slug, input.email);
    const me = await member.api.get(`${USERS}/me`);
    expect(me.body.data).toMatchObject({ id: user.id, last_login_at: expect.any(String) });
  });

  it('tells every user the settings of the company that the pages need', async () => {
    const settings = {
      timezone: 'America/Bogota',
      alert_longest_wait: 90,
      alert_nobody_available: true,
    };
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', settings), 200);
    const me = await apiOf('attendant').get(`${USERS}/me`);
    expect(me.body.data.tenant).toEqual({ ...settings, has_transcripts: false, has_summaries: false });
    expectStatus(await apiOf('supervisor').get('/api/v1/tenant'), 403);
  });

  it('accepts a wrapped body, trims values and ignores unknown fields', async () => {
    const input = {
      ...newUser({ name: '  Wanda  ' }),
      active: false,
      tenant_id: other.id,
      mfa_enabled: true,
    };
    const answer = await apiOf('owner').post(USERS, { user: input });
    expectStatus(answer, 201);
    expect(answer.body.data).toMatchObject({ name: 'Wanda', active: true, mfa_enabled: false });
    expect((await apiOf('owner').get(`${USERS}/${answer.body.data.id}`)).status).toBe(200);
  });

  it('creates a user without a password, who cannot log in', async () => {
    const user = await createUser({ password: undefined });
    const answer = await test.api.post('/api/auth/login', {
      tenant: tenant.slug,
      email: user.email,
      password: 'nobody has this password',
    });
    expectFailure(answer, 401);
  });

  it('requires an e-mail that is unique in the tenant, ignoring case, but not across tenants', async () => {
    const user = await createUser();
    expectFailure(await apiOf('owner').post(USERS, newUser({ email: user.email.toUpperCase() })), 422, {
      field: 'email',
    });
    const free = await createUser();
    expectFailure(await apiOf('owner').put(`${USERS}/${free.id}`, { email: user.email }), 422, {
      field: 'email',
    });
    expectStatus(await other.owner.api.post(USERS, newUser({ email: user.email })), 201);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['name', { name: 'x'.repeat(256) }],
    ['email', { email: 'nina' }],
    ['role', { role: 'admin' }],
    ['role', { role: undefined }],
    ['password', { password: '12345678' }],
    ['password', { password: 'short' }],
    ['phone', { phone: 5 }],
    ['department_ids', { department_ids: 'all' }],
    ['department_ids', { department_ids: ['x'] }],
    ['department_ids', { department_ids: [someId()] }],
  ])('rejects an invalid %s', async (field, input) => {
    const { email } = newUser();
    expectFailure(await apiOf('owner').post(USERS, newUser({ email, ...(input as Json) })), 422, { field });
    expect((await apiOf('owner').get(`${USERS}?search=${email}`)).body.data).toEqual([]);
  });

  it("rejects another tenant's department", async () => {
    const foreign = await other.department();
    const input = newUser({ department_ids: [foreign.id] });
    expectFailure(await apiOf('owner').post(USERS, input), 422, { field: 'department_ids' });
  });
});

describe('user ids', () => {
  it.each(['GET', 'PUT'])(
    '%s of an unknown user or one of another tenant is 404, and an invalid UUID is 400',
    async (method) => {
      const body = method === 'PUT' ? { name: 'Taken over' } : undefined;
      for (const id of [someId(), other.owner.id]) {
        expectFailure(await apiOf('owner').send(method, `${USERS}/${id}`, { body }), 404, {
          code: 'not_found',
        });
      }
      expectFailure(await apiOf('owner').send(method, `${USERS}/17`, { body }), 400, { field: 'id' });
      expect((await other.owner.api.get(`${USERS}/me`)).body.data.name).toBe('Olga Owner');
    },
  );
});

describe('updating a user', () => {
  it('changes only the fields in the body', async () => {
    const [one, two] = [await tenant.department(), await tenant.department()];
    const user = await createUser({ phone: '1', department_ids: [one.id] });
    const put = (body: Json) => apiOf('manager').put(`${USERS}/${user.id}`, body);
    expect((await put({ name: 'Nora', nonsense: 1, id: someId(), mfa_enabled: true })).body.data).toEqual({
      ...user,
      name: 'Nora',
      updated_at: expect.any(String),
    });
    expect((await put({ user: { phone: null, role: 'supervisor' } })).body.data).toMatchObject({
      name: 'Nora',
      phone: null,
      role: 'supervisor',
      department_ids: [one.id],
    });
    expect((await put({ department_ids: [two.id] })).body.data.department_ids).toEqual([two.id]);
    expect((await put({ department_ids: [] })).body.data.department_ids).toEqual([]);
    const unchanged = await put({});
    expect(unchanged.body.data).toMatchObject({ name: 'Nora', role: 'supervisor' });
  });

  it.each([
    ['name', null],
    ['name', ''],
    ['email', null],
    ['role', null],
    ['active', null],
    ['active', 'no'],
    ['department_ids', [someId()]],
  ])('rejects %s %j and changes nothing', async (field, value) => {
    const user = await createUser();
    expectFailure(await apiOf('owner').put(`${USERS}/${user.id}`, { [field]: value }), 422, { field });
    expect((await apiOf('owner').get(`${USERS}/${user.id}`)).body.data).toEqual(user);
  });
});
