import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { createSkill } from '../support/contexts/skills';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const SKILLS = '/api/v1/skills';
const MAX_SKILLS = 200;

let test: TestApp;
let other: TestTenant;
let tenant: TestTenant;
let owner: Member['api'];

beforeAll(async () => {
  test = await sharedTestApp();
  other = await TestTenant.register(test);
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
});

afterAll(() => test.close());

const create = (input: Json) => owner.post(SKILLS, input);

async function namesIn(query = ''): Promise<string[]> {
  const { data, meta } = (await owner.get(`${SKILLS}?${query}`)).body;
  expect(meta.total_count).toBe(data.length);
  return data.map(({ name }: Json) => name);
}

describe('creating a skill', () => {
  it('returns the skill, which attendants can read', async () => {
    const answer = await create({ name: 'English' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'English',
      description: null,
      inserted_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    const { api } = await tenant.member('attendant');
    expect((await api.get(`${SKILLS}/${answer.body.data.id}`)).body).toEqual(answer.body);
    expect((await api.get(SKILLS)).body.data).toEqual([answer.body.data]);
  });

  it('accepts all fields, wrapped or flat, and ignores unknown ones', async () => {
    const input = { name: ' Billing ', description: 'Invoices and refunds' };
    const wrapped = await create({ skill: { ...input, id: someId(), tenant_id: other.id } });
    expect(wrapped).toMatchObject({ status: 201, body: { data: { ...input, name: 'Billing' } } });
    expect((await create({ name: 'Sales', description: '' })).body.data.description).toBeNull();
  });

  it('rejects the name of another skill of the tenant, ignoring case', async () => {
    await createSkill(tenant, 'Ação');
    expectFailure(await create({ name: 'AÇÃO' }), 422, { code: 'validation_failed', field: 'name' });
    expectStatus(await other.owner.api.post(SKILLS, { name: 'Ação' }), 201);
    expect(await namesIn()).toEqual(['Ação']);
  });

  it.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: null }],
    ['name', { name: 7 }],
    ['name', { name: 'x'.repeat(256) }],
    ['description', { name: 'X', description: 'x'.repeat(2001) }],
    ['description', { name: 'X', description: ['x'] }],
  ])('rejects an invalid %s: %j', async (field, input) => {
    expectFailure(await create(input), 422, { code: 'validation_failed', field });
    expect(await namesIn()).toEqual([]);
  });

  it('is limited to 200 skills, even for concurrent requests', async () => {
    await test.db.query(
      `INSERT INTO skills (tenant_id, name) SELECT $1, 'Skill ' || n FROM generate_series(1, $2::int) AS n`,
      [tenant.id, MAX_SKILLS - 1],
    );
    const answers = await Promise.all(['A', 'B', 'C'].map((name) => create({ name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expectFailure(await create({ name: 'D' }), 422, { code: 'too_many_skills' });
    expectStatus(await other.owner.api.post(SKILLS, { name: 'D' }), 201);
  });
});

describe('updating a skill', () => {
  it('changes only the fields in the body and keeps updated_at when no value changes', async () => {
    const before = (await create({ name: 'Before', description: 'Kept' })).body.data;
    const put = (body: Json) => owner.put(`${SKILLS}/${before.id}`, body);
    test.clock.advance(60);
    const changed = await put({ skill: { name: 'After', x: 1 } });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({ ...before, name: 'After', updated_at: expect.any(String) });
    expect(changed.body.data.updated_at > before.updated_at).toBe(true);
    test.clock.advance(60);
    expect((await put({ name: 'After' })).body).toEqual(changed.body);
    expect((await put({})).body).toEqual(changed.body);
    expect((await put({ description: null })).body.data).toMatchObject({ name: 'After', description: null });
  });

  it('changes the case of a name, and rejects null and the name of another skill', async () => {
    const [id] = [await createSkill(tenant, 'vip'), await createSkill(tenant, 'Other')];
    expectStatus(await owner.put(`${SKILLS}/${id}`, { name: 'VIP' }), 200);
    expectFailure(await owner.put(`${SKILLS}/${id}`, { name: 'OTHER' }), 422, { field: 'name' });
    expectFailure(await owner.put(`${SKILLS}/${id}`, { name: null }), 422, { field: 'name' });
    expect(await namesIn()).toEqual(['Other', 'VIP']);
  });
});

it.each(['GET', 'PUT', 'DELETE'])(
  '%s of an unknown skill or one of another tenant is 404, and an invalid UUID is 400',
  async (method) => {
    const foreign = await createSkill(other);
    const body = method === 'PUT' ? { name: 'Mine' } : undefined;
    for (const id of [someId(), foreign]) {
      const answer = await owner.send(method, `${SKILLS}/${id}`, { body });
      expectFailure(answer, 404, { code: 'not_found' });
    }
    expectFailure(await owner.send(method, `${SKILLS}/x`, { body }), 400, { field: 'id' });
    expectStatus(await other.owner.api.get(`${SKILLS}/${foreign}`), 200);
  },
);

it('lists the skills of the tenant by name, by page and by part of the name', async () => {
  await createSkill(other, 'English of others');
  for (const name of ['Spanish', 'english', 'Português', 'Billing 100%']) await createSkill(tenant, name);
  expect(await namesIn()).toEqual(['Billing 100%', 'english', 'Português', 'Spanish']);
  expect(await namesIn('sort_order=desc')).toEqual(['Spanish', 'Português', 'english', 'Billing 100%']);
  expect(await namesIn('search=ISH')).toEqual(['english', 'Spanish']);
  expect(await namesIn('search=100%25')).toEqual(['Billing 100%']);
  const page = await owner.get(`${SKILLS}?page=2&page_size=3`);
  expect(page.body.data.map(({ name }: Json) => name)).toEqual(['Spanish']);
  expect(page.body.meta).toMatchObject({ current_page: 2, total_pages: 2, total_count: 4 });
  expectFailure(await owner.get(`${SKILLS}?sort_by=level`), 400, { field: 'sort_by' });
});
