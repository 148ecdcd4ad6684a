import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';

const TAGS = '/api/v1/tags';

let test: TestApp;
let other: TestTenant;
let tenant: TestTenant;
let owner: Member['api'];

beforeAll(async () => {
  test = await startTestApp();
  other = await TestTenant.register(test);
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
});

afterAll(() => test.close());

const create = (input: Json) => owner.post(TAGS, input);

/** A tag below another, or at the top. */
async function tag(name: string, parent?: Json): Promise<Json> {
  const answer = await create({ name, parent_id: parent?.id });
  expectStatus(answer, 201);
  return answer.body.data;
}

/** As in `a(b c(d))`. */
async function tree(): Promise<string> {
  const written = (tags: Json[]): string =>
    tags.map(({ name, children }) => (children.length ? `${name}(${written(children)})` : name)).join(' ');
  return written((await owner.get(`${TAGS}/tree`)).body.data);
}

const put = (one: Json, input: Json) => owner.put(`${TAGS}/${one.id}`, input);
/** `null` moves it to the top. */
const move = (one: Json, parent: Json) => put(one, { parent_id: parent?.id ?? null });

describe('creating', () => {
  it('answers the tag with its defaults', async () => {
    const answer = await create({ name: 'Billing' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Billing',
      color: '#64748b',
      parent_id: null,
      description: null,
      inserted_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect((await owner.get(`${TAGS}/${answer.body.data.id}`)).body).toEqual(answer.body);
  });

  it('takes all fields, wrapped or flat, and keeps colours in lower case', async () => {
    const { id: parent_id } = await tag('Top');
    const input = { name: ' Refunds ', color: '#FF00aa', parent_id, description: 'Money back' };
    const wrapped = await create({ tag: { ...input, children: [], tenant_id: other.id } });
    const expected = { name: 'Refunds', color: '#ff00aa', parent_id, description: 'Money back' };
    expect(wrapped).toMatchObject({ status: 201, body: { data: expected } });
    const flat = await create({ ...input, name: 'More', color: null });
    expect(flat.body.data).toMatchObject({ ...expected, name: 'More', color: '#64748b' });
  });

  it('refuses a name that a sibling has, whatever its case, and no other', async () => {
    const [top, side] = [await tag('Ação'), await tag('Side')];
    expectFailure(await create({ name: 'AÇÃO' }), 422, { field: 'name' });
    await tag('Ação', top);
    expectFailure(await create({ name: 'ação', parent_id: top.id }), 422, { field: 'name' });
    await tag('ação', side);
    expectStatus(await other.owner.api.post(TAGS, { name: 'Ação' }), 201);
    expect(await tree()).toBe('Ação(Ação) Side(ação)');
  });

  it.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: null }],
    ['name', { name: 'x'.repeat(256) }],
    ['color', { name: 'X', color: 'red' }],
    ['color', { name: 'X', color: '#fff' }],
    ['color', { name: 'X', color: '#12345g' }],
    ['color', { name: 'X', color: 7 }],
    ['parent_id', { name: 'X', parent_id: 'top' }],
    ['parent_id', { name: 'X', parent_id: someId() }],
    ['description', { name: 'X', description: 'x'.repeat(2001) }],
  ])('refuses a bad %s: %j', async (field, input) => {
    expectFailure(await create(input), 422, { code: 'validation_failed', field });
    expect(await tree()).toBe('');
  });

  it('knows no parent of another tenant', async () => {
    const foreign = (await other.owner.api.post(TAGS, { name: `Of ${tenant.slug}` })).body.data;
    expectFailure(await create({ name: 'X', parent_id: foreign.id }), 422, { field: 'parent_id' });
    const own = await tag('Own');
    expectFailure(await move(own, foreign), 422, { field: 'parent_id' });
  });
});

describe('updating', () => {
  it('changes what is sent and nothing else, down to no change at all', async () => {
    const before = await tag('Before');
    test.clock.advance(60);
    const changed = await put(before, { tag: { name: 'After', color: '#ABCDEF', x: 1 } });
    expect(changed.status).toBe(200);
    const expected = { ...before, name: 'After', color: '#abcdef', updated_at: expect.any(String) };
    expect(changed.body.data).toEqual(expected);
    expect(changed.body.data.updated_at > before.updated_at).toBe(true);
    test.clock.advance(60);
    // Colours are the same whatever their case.
    expect((await put(before, { color: '#ABCDEF' })).body).toEqual(changed.body);
    expect((await put(before, {})).body).toEqual(changed.body);
  });

  it.each(['name', 'color'])('takes no null for the %s', async (field) => {
    const one = await tag('One');
    expectFailure(await put(one, { [field]: null }), 422, { field });
  });

  it('renames in another case, and refuses the name of a sibling', async () => {
    const [vip] = [await tag('vip'), await tag('Other')];
    expectStatus(await put(vip, { name: 'VIP' }), 200);
    expectFailure(await put(vip, { name: 'OTHER' }), 422, { field: 'name' });
    expect(await tree()).toBe('Other VIP');
  });

  it('moves a tag with all that is below it', async () => {
    const [a, d] = [await tag('a'), await tag('d')];
    const b = await tag('b', a);
    await tag('c', b);
    expect(await tree()).toBe('a(b(c)) d');
    expect((await move(b, d)).body.data).toMatchObject({ name: 'b', parent_id: d.id });
    expect(await tree()).toBe('a d(b(c))');
    expectStatus(await move(b, null), 200);
    expect(await tree()).toBe('a b(c) d');
    expectStatus(await move(a, b), 200);
    expect(await tree()).toBe('b(a c) d');
  });

  it('refuses to move a tag beside another of its name', async () => {
    const [a] = [await tag('a'), await tag('x')];
    const below = await tag('X', a);
    expectFailure(await move(below, null), 422, { field: 'name' });
    expect(await tree()).toBe('a(X) x');
  });

  it('refuses every circle', async () => {
    const a = await tag('a');
    const b = await tag('b', a);
    const c = await tag('c', b);
    for (const [one, parent] of [
      [a, a],
      [a, b],
      [a, c],
      [b, c],
      [c, c],
    ]) {
      expectFailure(await move(one, parent), 422, { code: 'tag_cycle', field: 'parent_id' });
    }
    expect(await tree()).toBe('a(b(c))');
  });

  it('is 404 for a tag that there is not, also with a parent that there is not', async () => {
    const hidden = await tag('Hidden');
    for (const [api, id] of [
      [owner, someId()],
      [other.owner.api, hidden.id],
    ]) {
      expectFailure(await api.put(`${TAGS}/${id}`, { parent_id: someId() }), 404);
      expectFailure(await api.get(`${TAGS}/${id}`), 404);
      expectFailure(await api.delete(`${TAGS}/${id}`), 404);
    }
    expect(await tree()).toBe('Hidden');
  });
});

it('lets a tree be a hundred levels deep, and still answers it', async () => {
  let one = await tag('1');
  const [first] = [one];
  for (let level = 2; level <= 100; level++) one = await tag(`${level}`, one);
  expectFailure(await create({ name: '101', parent_id: one.id }), 422, { field: 'parent_id' });
  expect((await tree()).match(/\(/g)).toHaveLength(99);
  const top = await tag('top');
  expectFailure(await move(first, top), 422, { field: 'parent_id' });
  expectStatus(await owner.delete(`${TAGS}/${one.id}`), 204);
  expectStatus(await move(first, top), 200);
});

describe('deleting', () => {
  it('puts the tags below into the place of the one that goes', async () => {
    const a = await tag('a');
    const b = await tag('b', a);
    await tag('d', await tag('c', b));
    await tag('e', b);
    expect(await tree()).toBe('a(b(c(d) e))');
    const answer = await owner.delete(`${TAGS}/${b.id}`);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(await tree()).toBe('a(c(d) e)');
    expectStatus(await owner.delete(`${TAGS}/${a.id}`), 204);
    expect(await tree()).toBe('c(d) e');
    expectFailure(await owner.get(`${TAGS}/${b.id}`), 404);
  });

  it('lets a child take the place of a parent of its own name', async () => {
    const parent = await tag('Billing', await tag('Top'));
    await tag('billing', parent);
    expectStatus(await owner.delete(`${TAGS}/${parent.id}`), 204);
    expect(await tree()).toBe('Top(billing)');
  });

  it('loses no tag to a name that is taken where it would move: that has to be settled first', async () => {
    const [a] = [await tag('a'), await tag('refunds')];
    const below = await tag('Refunds', a);
    await tag('Other', a);
    const answer = await owner.delete(`${TAGS}/${a.id}`);
    expectFailure(answer, 422, { code: 'tag_name_taken' });
    expect(answer.body.errors.detail).toContain('"Refunds"');
    expect(await tree()).toBe('a(Other Refunds) refunds');
    expectStatus(await put(below, { name: 'Refunds of a' }), 200);
    expectStatus(await owner.delete(`${TAGS}/${a.id}`), 204);
    expect(await tree()).toBe('Other Refunds of a refunds');
  });

  it('is written into the audit log with what it moved', async () => {
    const a = await tag('a');
    const b = await tag('b', a);
    expectStatus(await owner.delete(`${TAGS}/${a.id}`), 204);
    const { rows } = await test.db.query(
      `SELECT action, subject_id, details FROM audit_log WHERE tenant_id = $1 AND action ~ '^tag' ORDER BY action`,
      [tenant.id],
    );
    expect(rows).toEqual([
      { action: 'tag.created', subject_id: expect.any(String), details: {} },
      { action: 'tag.created', subject_id: expect.any(String), details: {} },
      { action: 'tag.deleted', subject_id: a.id, details: {} },
      { action: 'tag.updated', subject_id: b.id, details: { changed: ['parent_id'] } },
    ]);
  });
});

describe('looking', () => {
  it('finds tags in the list by their parent and a part of their name', async () => {
    const a = await tag('alpha');
    await tag('beta', a);
    await tag('alphabet', a);
    const names = async (query: string) => {
      const { data, meta } = (await owner.get(`${TAGS}?${query}`)).body;
      expect(meta.total_count).toBe(data.length);
      return data.map(({ name }: Json) => name);
    };
    expect(await names('')).toEqual(['alpha', 'alphabet', 'beta']);
    expect(await names('sort_order=desc')).toEqual(['beta', 'alphabet', 'alpha']);
    expect(await names(`parent_id=${a.id}`)).toEqual(['alphabet', 'beta']);
    expect(await names('search=ALPHA')).toEqual(['alpha', 'alphabet']);
    expect(await names(`search=alpha&parent_id=${a.id}`)).toEqual(['alphabet']);
    expect(await names(`parent_id=${someId()}`)).toEqual([]);
    expectFailure(await owner.get(`${TAGS}?parent_id=top`), 400, { field: 'parent_id' });
  });

  it('shows in the tree whole tags, of this tenant alone', async () => {
    const a = await tag('a');
    const b = await tag('b', a);
    expect((await owner.get(`${TAGS}/tree`)).body).toEqual({
      data: [{ ...a, children: [{ ...b, children: [] }] }],
    });
    const stranger = await TestTenant.register(test, 'free');
    expect((await stranger.owner.api.get(`${TAGS}/tree`)).body).toEqual({ data: [] });
  });
});
