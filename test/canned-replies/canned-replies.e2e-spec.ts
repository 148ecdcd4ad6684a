import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const REPLIES = '/api/v1/canned-replies';
const MAX_REPLIES = 500;
const GREETING = { title: 'Greeting', text: 'Good morning.\nHow can I help?', shortcut: 'hi' };

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

async function create(input: Json = {}, { api } = tenant.owner): Promise<Json> {
  const answer = await api.post(REPLIES, { ...GREETING, shortcut: null, ...input });
  expectStatus(answer, 201);
  return answer.body.data;
}

async function titlesIn(query = ''): Promise<string[]> {
  const { data, meta } = (await owner.get(`${REPLIES}?${query}`)).body;
  expect(meta.total_count).toBe(data.length);
  return data.map(({ title }: Json) => title);
}

describe('creating a canned reply', () => {
  it('returns the reply, which attendants can read', async () => {
    const answer = await owner.post(REPLIES, {
      canned_reply: { ...GREETING, shortcut: 'Hi', tenant_id: other.id },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...GREETING,
      inserted_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    const { api } = await tenant.member('attendant');
    expect((await api.get(`${REPLIES}/${answer.body.data.id}`)).body).toEqual(answer.body);
    expect((await api.get(REPLIES)).body.data).toEqual([answer.body.data]);
    expectFailure(await api.post(REPLIES, GREETING), 403);
  });

  it('takes a shortcut once in a company, ignoring case, and any number of replies without one', async () => {
    await create({ shortcut: 'ação' });
    const answer = await owner.post(REPLIES, { ...GREETING, shortcut: 'AÇÃO' });
    expectFailure(answer, 422, { code: 'validation_failed', field: 'shortcut' });
    expect((await create({ shortcut: 'ação' }, other.owner)).shortcut).toBe('ação');
    for (const shortcut of [null, '', undefined]) expect((await create({ shortcut })).shortcut).toBeNull();
  });

  it.each([
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(101) }],
    ['text', { text: null }],
    ['text', { text: 'x'.repeat(2001) }],
    ['shortcut', { shortcut: 'two words' }],
    ['shortcut', { shortcut: '/hi' }],
    ['shortcut', { shortcut: '-hi' }],
    ['shortcut', { shortcut: 'x'.repeat(31) }],
    ['shortcut', { shortcut: ['hi'] }],
  ])('rejects an invalid %s: %j', async (field, input) => {
    const answer = await owner.post(REPLIES, { ...GREETING, ...input });
    expectFailure(answer, 422, { code: 'validation_failed', field });
    expect(await titlesIn()).toEqual([]);
  });
});

it('changes only the fields in the body and keeps updated_at when no value changes', async () => {
  const before = await create({ shortcut: 'hi' });
  const put = (body: Json) => owner.put(`${REPLIES}/${before.id}`, body);
  test.clock.advance(60);
  const changed = await put({ title: 'After' });
  expect(changed.body.data).toEqual({ ...before, title: 'After', updated_at: expect.any(String) });
  expect(changed.body.data.updated_at > before.updated_at).toBe(true);
  test.clock.advance(60);
  expect((await put({ title: 'After' })).body).toEqual(changed.body);
  expect((await put({ shortcut: null })).body.data).toMatchObject({ title: 'After', shortcut: null });
  await create({ shortcut: 'taken' });
  expectFailure(await put({ shortcut: 'Taken' }), 422, { field: 'shortcut' });
  expectFailure(await put({ text: null }), 422, { field: 'text' });
});

it('deletes a reply', async () => {
  const { id } = await create();
  expectStatus(await owner.delete(`${REPLIES}/${id}`), 204);
  expect(await titlesIn()).toEqual([]);
  expectFailure(await owner.delete(`${REPLIES}/${id}`), 404);
});

it.each(['GET', 'PUT', 'DELETE'])(
  '%s of an unknown reply or one of another tenant is 404, and an invalid UUID is 400',
  async (method) => {
    const { id: foreign } = await create({}, other.owner);
    const body = method === 'PUT' ? { title: 'Mine' } : undefined;
    for (const id of [someId(), foreign]) {
      expectFailure(await owner.send(method, `${REPLIES}/${id}`, { body }), 404, { code: 'not_found' });
    }
    expectFailure(await owner.send(method, `${REPLIES}/x`, { body }), 400, { field: 'id' });
    expectStatus(await other.owner.api.get(`${REPLIES}/${foreign}`), 200);
  },
);

it('lists the replies of the tenant by title, by page and by part of title, text or shortcut', async () => {
  await create({ title: 'Invoice of others' }, other.owner);
  await create({ title: 'invoice', text: 'Sent again.' });
  await create({ title: 'Address', text: 'Street 1, 100%' });
  await create({ title: 'Farewell', shortcut: 'bye' });
  expect(await titlesIn()).toEqual(['Address', 'Farewell', 'invoice']);
  expect(await titlesIn('sort_order=desc')).toEqual(['invoice', 'Farewell', 'Address']);
  expect(await titlesIn('search=INVO')).toEqual(['invoice']);
  expect(await titlesIn('search=100%25')).toEqual(['Address']);
  expect(await titlesIn('search=by')).toEqual(['Farewell']);
  const page = await owner.get(`${REPLIES}?page=2&page_size=2`);
  expect(page.body.data.map(({ title }: Json) => title)).toEqual(['invoice']);
  expect(page.body.meta).toMatchObject({ current_page: 2, total_pages: 2, total_count: 3 });
  expectFailure(await owner.get(`${REPLIES}?sort_by=name`), 400, { field: 'sort_by' });
});

describe('at the same time', () => {
  it('takes the last free place once', async () => {
    await test.db.query(
      `INSERT INTO canned_replies (tenant_id, title, text) SELECT $1, 'x', 'x' FROM generate_series(2, ${MAX_REPLIES})`,
      [tenant.id],
    );
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((title) => owner.post(REPLIES, { ...GREETING, shortcut: title })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.errors.code).toBe('too_many_canned_replies');
  });

  it('creates one reply with a shortcut, and exchanges of shortcuts do not block each other', async () => {
    const answers = await Promise.all(
      ['hi', 'HI', 'Hi'].map((shortcut) => owner.post(REPLIES, { ...GREETING, shortcut })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const [one, two] = [await create({ shortcut: 'one' }), await create({ shortcut: 'two' })];
    const swaps = await Promise.all([
      owner.put(`${REPLIES}/${one.id}`, { shortcut: 'two' }),
      owner.put(`${REPLIES}/${two.id}`, { shortcut: 'one' }),
    ]);
    expect(swaps.map(({ status }) => status)).toEqual([422, 422]);
  });
});
