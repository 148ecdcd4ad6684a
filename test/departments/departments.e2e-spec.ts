import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const DEPARTMENTS = '/api/v1/departments';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let owner: Member['api'];

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  owner = tenant.owner.api;
});

afterAll(() => test.close());

const create = (department: Json) => owner.post(DEPARTMENTS, { department });

/** Settings of the distribution of calls, none with its default value. */
const ROUTING = {
  routing: 'automatic',
  offer_timeout: 120,
  wrap_up_time: 3600,
  max_unanswered: 10,
  agent_selection: 'fewest_today',
  skill_relax_after: 0,
  preferred_agent_wait: 0,
  priority_step: 86_400,
};

it.each([
  ['GET', ''],
  ['POST', ''],
  ['GET', '/:id'],
  ['PUT', '/:id'],
  ['DELETE', '/:id'],
  ['GET', '/:id/users'],
  ['POST', '/:id/users'],
  ['DELETE', '/:id/users/:user_id'],
])('%s /departments%s requires the supervisor role or a higher one', async (method, path) => {
  for (const [role, allowed] of [
    ['attendant', false],
    ['supervisor', true],
    ['manager', true],
    ['owner', true],
  ] as const) {
    const actor = await tenant.member(role);
    const department = await tenant.department();
    const user = await tenant.member('attendant', method === 'DELETE' ? [department.id] : []);
    const address = DEPARTMENTS + path.replace(':id', department.id).replace(':user_id', user.id);
    const body = /POST|PUT/.test(method) ? { name: 'Renamed', user_id: user.id } : undefined;
    if (!allowed) expectFailure(await test.api.send(method, address, { body }), 401);
    const answer = await actor.api.send(method, address, { body });
    if (allowed) expect(answer.status).toBeLessThan(300);
    else expectFailure(answer, 403, { code: 'forbidden' });
  }
});

describe('creating a department', () => {
  it('returns the department with its default values', async () => {
    const answer = await create({ name: 'Suporte Técnico' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Suporte Técnico',
      identifier: 'suporte-tecnico',
      description: null,
      active: true,
      sector_id: null,
      max_queue_size: 20,
      max_wait_time: 300,
      routing: 'manual',
      offer_timeout: 20,
      wrap_up_time: 0,
      max_unanswered: 3,
      agent_selection: 'longest_idle',
      skill_relax_after: 60,
      preferred_agent_wait: 30,
      priority_step: 60,
      opening_hours: null,
      closed_message: null,
      on_close: 'keep',
      overflow_after: null,
      overflow_department_id: null,
      callback_enabled: false,
      callback_attempts: 2,
      callback_window: 600,
      user_count: 0,
      inserted_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect((await owner.get(`${DEPARTMENTS}/${answer.body.data.id}`)).body).toEqual(answer.body);
  });

  it('accepts all fields, wrapped or flat, and ignores unknown ones', async () => {
    const input = {
      name: ' Sales ',
      identifier: 'sales-eu',
      description: 'Europe',
      sector_id: someId(),
      max_queue_size: 5,
      max_wait_time: 60,
      ...ROUTING,
    };
    const extra = { user_count: 9, tenant_id: other.id, active: false };
    const flat = await owner.post(DEPARTMENTS, { ...input, ...extra });
    expectStatus(flat, 201);
    expect(flat.body.data).toMatchObject({ ...input, name: 'Sales', active: true, user_count: 0 });
    expect((await create({ ...input, identifier: 'sales-us' })).body.data.identifier).toBe('sales-us');
  });

  it('numbers generated identifiers, even of concurrent requests, and rejects a duplicate from the client', async () => {
    const answers = await Promise.all(['Ação!', 'AÇÃO', 'acao'].map((name) => create({ name })));
    expect(answers.map(({ body }) => body.data.identifier).sort()).toEqual(['acao', 'acao-2', 'acao-3']);
    expectFailure(await create({ name: 'Another', identifier: 'acao-2' }), 422, { field: 'identifier' });
    // Identifiers are unique per tenant.
    expectStatus(await other.owner.api.post(DEPARTMENTS, { name: 'Ação' }), 201);
    expect((await create({ name: '日本' })).body.data.identifier).toMatch(/^department(-\d+)?$/);
  });

  it.each([
    ['suporte_geral-1', 'suporte_geral-1'],
    ['--edge__', '--edge__'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['Suporte Geral 1', 'suporte-geral-1'],
    [' Ação & Reação! ', 'acao-reacao'],
    ['LOANS', 'loans'],
    [`Y ${'y'.repeat(253)}`, `y-${'y'.repeat(253)}`],
  ])('keeps or normalises the identifier %j', async (sent, identifier) => {
    const { body } = await create({ name: 'Named', identifier: sent });
    expect(body.data.identifier).toBe(identifier);
    const { id } = (await create({ name: 'Renamed' })).body.data;
    expectFailure(await owner.put(`${DEPARTMENTS}/${id}`, { identifier: sent }), 422, {
      field: 'identifier',
    });
    expectStatus(await owner.delete(`${DEPARTMENTS}/${body.data.id}`), 204);
    const updated = await owner.put(`${DEPARTMENTS}/${id}`, { identifier: sent });
    expect(updated.body.data.identifier).toBe(identifier);
  });

  it.each([
    ['name', {}],
    ['name', { name: '  ' }],
    ['name', { name: 7 }],
    ['name', { name: null }],
    ['identifier', { name: 'X', identifier: '!!!' }],
    ['identifier', { name: 'X', identifier: '日本' }],
    ['identifier', { name: 'X', identifier: 'x'.repeat(256) }],
    ['identifier', { name: 'X', identifier: 'X'.repeat(256) }],
    ['identifier', { name: 'X', identifier: 7 }],
    ['description', { name: 'X', description: 'x'.repeat(2001) }],
    ['closed_message', { name: 'X', closed_message: 'x'.repeat(501) }],
    ['closed_message', { name: 'X', closed_message: 7 }],
    ['sector_id', { name: 'X', sector_id: 'north' }],
    ['max_queue_size', { name: 'X', max_queue_size: 0 }],
    ['max_queue_size', { name: 'X', max_queue_size: 1.5 }],
    ['max_queue_size', { name: 'X', max_queue_size: '20' }],
    ['max_wait_time', { name: 'X', max_wait_time: 1e300 }],
    ['max_wait_time', { name: 'X', max_wait_time: -1 }],
    ['routing', { name: 'X', routing: 'random' }],
    ['routing', { name: 'X', routing: true }],
    ['offer_timeout', { name: 'X', offer_timeout: 4 }],
    ['offer_timeout', { name: 'X', offer_timeout: 121 }],
    ['offer_timeout', { name: 'X', offer_timeout: 20.5 }],
    ['wrap_up_time', { name: 'X', wrap_up_time: -1 }],
    ['wrap_up_time', { name: 'X', wrap_up_time: 3601 }],
    ['max_unanswered', { name: 'X', max_unanswered: 0 }],
    ['max_unanswered', { name: 'X', max_unanswered: 11 }],
    ['agent_selection', { name: 'X', agent_selection: 'round_robin' }],
    ['skill_relax_after', { name: 'X', skill_relax_after: -1 }],
    ['skill_relax_after', { name: 'X', skill_relax_after: 'never' }],
    ['skill_relax_after', { name: 'X', skill_relax_after: 86_401 }],
    ['preferred_agent_wait', { name: 'X', preferred_agent_wait: -1 }],
    ['preferred_agent_wait', { name: 'X', preferred_agent_wait: 86_401 }],
    ['priority_step', { name: 'X', priority_step: '60' }],
    ['priority_step', { name: 'X', priority_step: 86_401 }],
    ['callback_enabled', { name: 'X', callback_enabled: 'yes' }],
    ['callback_attempts', { name: 'X', callback_attempts: 0 }],
    ['callback_attempts', { name: 'X', callback_attempts: 6 }],
    ['callback_window', { name: 'X', callback_window: 59 }],
    ['callback_window', { name: 'X', callback_window: 3601 }],
  ])('rejects an invalid %s: %j', async (field, input) => {
    expectFailure(await create(input), 422, { code: 'validation_failed', field });
    expectFailure(await owner.post(DEPARTMENTS, input), 422, { field });
  });

  it('takes null as the default value of a setting, but as "never" for skill_relax_after', async () => {
    const nulls = Object.fromEntries(Object.keys(ROUTING).map((name) => [name, null]));
    const { data } = (await create({ name: 'Nulls', ...nulls })).body;
    expect(data).toMatchObject({
      routing: 'manual',
      offer_timeout: 20,
      wrap_up_time: 0,
      max_unanswered: 3,
      agent_selection: 'longest_idle',
      skill_relax_after: null,
      preferred_agent_wait: 30,
      priority_step: 60,
    });
    expect((await create({ name: 'Blank', wrap_up_time: '' })).body.data.wrap_up_time).toBe(0);
  });

  it('enforces the limit of the plan, even for concurrent requests', async () => {
    const small = await TestTenant.register(test, 'free');
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((name) => small.owner.api.post(DEPARTMENTS, { name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    expectFailure(await small.owner.api.post(DEPARTMENTS, { name: 'D' }), 403, { code: 'plan_limit' });
    const { data } = (await small.owner.api.get(DEPARTMENTS)).body;
    expect(data).toHaveLength(1);
    expectStatus(await small.owner.api.delete(`${DEPARTMENTS}/${data[0].id}`), 204);
    expectStatus(await small.owner.api.post(DEPARTMENTS, { name: 'E' }), 201);
  });
});

describe('updating a department', () => {
  it('changes only the fields in the body', async () => {
    const before = (await create({ name: 'Before', description: 'Kept', max_wait_time: 90 })).body.data;
    const put = (body: Json) => owner.put(`${DEPARTMENTS}/${before.id}`, body);
    const changed = await put({ department: { name: 'After', max_queue_size: 50, user_count: 4, x: 1 } });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({
      ...before,
      name: 'After',
      max_queue_size: 50,
      updated_at: expect.any(String),
    });
    expect((await put({ active: false, description: null })).body.data).toMatchObject({
      name: 'After',
      identifier: 'before',
      active: false,
      description: null,
    });
    expectStatus(await put({ closed_message: 'x'.repeat(500) }), 200);
    await put({ closed_message: 'Until tomorrow' });
    expect((await put({ closed_message: ' ' })).body.data).toMatchObject({ closed_message: null });
    expect((await put({})).body.data).toMatchObject({ name: 'After', active: false, max_wait_time: 90 });
  });

  it.each([
    'name',
    'identifier',
    'active',
    'max_queue_size',
    'max_wait_time',
    'routing',
    'offer_timeout',
    'wrap_up_time',
    'max_unanswered',
    'agent_selection',
    'preferred_agent_wait',
    'priority_step',
    'on_close',
  ])('rejects null for %s', async (field) => {
    const before = await tenant.department();
    expectFailure(await owner.put(`${DEPARTMENTS}/${before.id}`, { [field]: null }), 422, { field });
    expect((await owner.get(`${DEPARTMENTS}/${before.id}`)).body.data).toEqual(before);
  });

  it('changes the settings of the distribution of calls and records their names', async () => {
    const before = await tenant.department();
    const put = (body: Json) => owner.put(`${DEPARTMENTS}/${before.id}`, body);
    expect((await put(ROUTING)).body.data).toEqual({ ...before, ...ROUTING, updated_at: expect.any(String) });
    expect((await put({ skill_relax_after: null })).body.data).toMatchObject({
      ...ROUTING,
      skill_relax_after: null,
    });
    expectStatus(await put({ ...ROUTING, skill_relax_after: null }), 200);
    const { rows } = await test.db.query(
      `SELECT details->'changed' AS changed FROM audit_log
       WHERE subject_id = $1 AND action = 'department.updated' ORDER BY inserted_at, id`,
      [before.id],
    );
    expect(rows).toHaveLength(2);
    const changed = rows.map((row) => row.changed.toSorted().join());
    expect(changed.toSorted()).toEqual(
      [Object.keys(ROUTING).toSorted().join(), 'skill_relax_after'].toSorted(),
    );
  });

  it.each([
    ['routing', 'random'],
    ['offer_timeout', 4],
    ['max_unanswered', 11],
    ['skill_relax_after', -1],
  ])('rejects %s = %j and changes nothing', async (field, value) => {
    const before = await tenant.department();
    const answer = await owner.put(`${DEPARTMENTS}/${before.id}`, { wrap_up_time: 5, [field]: value });
    expectFailure(answer, 422, { code: 'validation_failed', field });
    expect((await owner.get(`${DEPARTMENTS}/${before.id}`)).body.data).toEqual(before);
  });

  it('rejects an identifier that another department uses', async () => {
    const [first, second] = [await tenant.department(), await tenant.department()];
    const answer = await owner.put(`${DEPARTMENTS}/${second.id}`, { identifier: first.identifier });
    expectFailure(answer, 422, { field: 'identifier' });
  });

  it('invalidates the links of a deactivated department and keeps its waiting calls', async () => {
    const { department, link } = await tenant.queue();
    const waiting = await tenant.join(link);
    expectStatus(await owner.put(`${DEPARTMENTS}/${department.id}`, { active: false }), 200);
    expectFailure(await test.api.get(`/api/v1/call/${link.token}/validate`), 404, { code: 'link_cancelled' });
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404);
    const status = await test.api.get(`/api/v1/call/status/${waiting.call_id}`);
    expect(status.body.data).toMatchObject({ status: 'queued', position: 1 });
    expectStatus(await owner.put(`${DEPARTMENTS}/${department.id}`, { active: true }), 200);
    expectStatus(await test.api.get(`/api/v1/call/${link.token}/validate`), 200);
  });
});

it.each([
  ['GET', ''],
  ['PUT', ''],
  ['DELETE', ''],
  ['GET', '/users'],
  ['POST', '/users'],
  ['DELETE', `/users/${someId()}`],
])(
  '%s of an unknown department%s or one of another tenant is 404, and an invalid UUID is 400',
  async (method, path) => {
    const foreign = await other.department();
    const body = /POST|PUT/.test(method) ? { name: 'Mine now', user_id: tenant.owner.id } : undefined;
    for (const id of [someId(), foreign.id]) {
      expectFailure(await owner.send(method, `${DEPARTMENTS}/${id}${path}`, { body }), 404, {
        code: 'not_found',
      });
    }
    expectFailure(await owner.send(method, `${DEPARTMENTS}/x${path}`, { body }), 400);
    expect((await other.owner.api.get(`${DEPARTMENTS}/${foreign.id}`)).body.data).toEqual(foreign);
  },
);

describe('department members', () => {
  it('are added, listed, counted and removed', async () => {
    const { id } = await tenant.department();
    const member = await tenant.member('attendant');
    const added = await owner.post(`${DEPARTMENTS}/${id}/users`, { user_id: member.id });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({ data: { message: expect.any(String) } });
    const { name, email } = member;
    expect((await owner.get(`${DEPARTMENTS}/${id}/users`)).body).toEqual({
      data: [{ id: member.id, name, email, role: 'attendant', active: true }],
    });
    expect((await owner.get(`${DEPARTMENTS}/${id}`)).body.data.user_count).toBe(1);
    expect((await member.api.get('/api/v1/users/me')).body.data.department_ids).toEqual([id]);

    const again = await owner.post(`${DEPARTMENTS}/${id}/users`, { user_id: member.id });
    expectFailure(again, 422, { code: 'already_member', field: 'user_id' });

    const removed = await owner.delete(`${DEPARTMENTS}/${id}/users/${member.id}`);
    expect([removed.status, removed.body]).toEqual([204, '']);
    expect((await owner.get(`${DEPARTMENTS}/${id}/users`)).body).toEqual({ data: [] });
    expectFailure(await owner.delete(`${DEPARTMENTS}/${id}/users/${member.id}`), 404);
  });

  it('must be users of the tenant', async () => {
    const { id } = await tenant.department();
    for (const user_id of [someId(), other.owner.id, 'x', undefined, null, 7]) {
      expectFailure(await owner.post(`${DEPARTMENTS}/${id}/users`, { user_id }), 422, { field: 'user_id' });
    }
    expect((await owner.get(`${DEPARTMENTS}/${id}/users`)).body.data).toEqual([]);
  });
});
