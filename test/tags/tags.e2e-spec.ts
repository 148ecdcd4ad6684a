import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const TAGS = '/api/v1/tags';

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

const create = (input: Json) => owner.post(TAGS, input);

/** Creates a tag below `parent`, or at the top level. */
async function createTag(name: string, parent?: Json): Promise<Json> {
  const answer = await create({ name, parent_id: parent?.id });
  expectStatus(answer, 201);
  return answer.body.data;
}

/** The tag tree, written as `a(b c(d))`. */
async function renderTree(): Promise<string> {
  const render = (tags: Json[]): string =>
    tags.map(({ name, children }) => (children.length ? `${name}(${render(children)})` : name)).join(' ');
  return render((await owner.get(`${TAGS}/tree`)).body.data);
}

const updateTag = (one: Json, input: Json) => owner.put(`${TAGS}/${one.id}`, input);
/** Moves a tag below `parent`; `null` moves it to the top level. */
const moveTag = (one: Json, parent: Json) => updateTag(one, { parent_id: parent?.id ?? null });

describe('creating a tag', () => {
  it('returns the tag with its default values', async () => {
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

  it('accepts all fields, wrapped or flat, and stores colours in lower case', async () => {
    const { id: parent_id } = await createTag('Top');
    const input = { name: ' Refunds ', color: '#FF00aa', parent_id, description: 'Money back' };
    const wrapped = await create({ tag: { ...input, children: [], tenant_id: other.id } });
    const expected = { name: 'Refunds', color: '#ff00aa', parent_id, description: 'Money back' };
    expect(wrapped).toMatchObject({ status: 201, body: { data: expected } });
    const flat = await create({ ...input, name: 'More', color: null });
    expect(flat.body.data).toMatchObject({ ...expected, name: 'More', color: '#64748b' });
  });

  it('rejects only the name of a sibling, ignoring case', async () => {
    const [top, side] = [await createTag('Ação'), await createTag('Side')];
    expectFailure(await create({ name: 'AÇÃO' }), 422, { field: 'name' });
    await createTag('Ação', top);
    expectFailure(await create({ name: 'ação', parent_id: top.id }), 422, { field: 'name' });
    await createTag('ação', side);
    expectStatus(await other.owner.api.post(TAGS, { name: 'Ação' }), 201);
    expect(await renderTree()).toBe('Ação(Ação) Side(ação)');
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
  ])('rejects an invalid %s: %j', async (field, input) => {
    expectFailure(await create(input), 422, { code: 'validation_failed', field });
    expect(await renderTree()).toBe('');
  });

  it("rejects another tenant's tag as the parent", async () => {
    const foreign = (await other.owner.api.post(TAGS, { name: `Of ${tenant.slug}` })).body.data;
    expectFailure(await create({ name: 'X', parent_id: foreign.id }), 422, { field: 'parent_id' });
    const own = await createTag('Own');
    expectFailure(await moveTag(own, foreign), 422, { field: 'parent_id' });
  });
});

describe('updating a tag', () => {
  it('changes only the fields in the body and keeps updated_at when no value changes', async () => {
    const before = await createTag('Before');
    test.clock.advance(60);
    const changed = await updateTag(before, { tag: { name: 'After', color: '#ABCDEF', x: 1 } });
    expect(changed.status).toBe(200);
    const expected = { ...before, name: 'After', color: '#abcdef', updated_at: expect.any(String) };
    expect(changed.body.data).toEqual(expected);
    expect(changed.body.data.updated_at > before.updated_at).toBe(true);
    test.clock.advance(60);
    // Colours are compared without case.
    expect((await updateTag(before, { color: '#ABCDEF' })).body).toEqual(changed.body);
    expect((await updateTag(before, {})).body).toEqual(changed.body);
  });

  it.each(['name', 'color'])('rejects null for the %s', async (field) => {
    const one = await createTag('One');
    expectFailure(await updateTag(one, { [field]: null }), 422, { field });
  });

  it('changes the case of a name and rejects the name of a sibling', async () => {
    const [vip] = [await createTag('vip'), await createTag('Other')];
    expectStatus(await updateTag(vip, { name: 'VIP' }), 200);
    expectFailure(await updateTag(vip, { name: 'OTHER' }), 422, { field: 'name' });
    expect(await renderTree()).toBe('Other VIP');
  });

  it('moves a tag with its whole subtree', async () => {
    const [a, d] = [await createTag('a'), await createTag('d')];
    const b = await createTag('b', a);
    await createTag('c', b);
    expect(await renderTree()).toBe('a(b(c)) d');
    expect((await moveTag(b, d)).body.data).toMatchObject({ name: 'b', parent_id: d.id });
    expect(await renderTree()).toBe('a d(b(c))');
    expectStatus(await moveTag(b, null), 200);
    expect(await renderTree()).toBe('a b(c) d');
    expectStatus(await moveTag(a, b), 200);
    expect(await renderTree()).toBe('b(a c) d');
  });

  it('rejects a move next to a tag of the same name', async () => {
    const [a] = [await createTag('a'), await createTag('x')];
    const below = await createTag('X', a);
    expectFailure(await moveTag(below, null), 422, { field: 'name' });
    expect(await renderTree()).toBe('a(X) x');
  });

  it('rejects every move that would form a cycle', async () => {
    const a = await createTag('a');
    const b = await createTag('b', a);
    const c = await createTag('c', b);
    for (const [one, parent] of [
      [a, a],
      [a, b],
      [a, c],
      [b, c],
      [c, c],
    ]) {
      expectFailure(await moveTag(one, parent), 422, { code: 'tag_cycle', field: 'parent_id' });
    }
    expect(await renderTree()).toBe('a(b(c))');
  });

  it('answers 404 for an unknown tag, even if the new parent is unknown too', async () => {
    const hidden = await createTag('Hidden');
    for (const [api, id] of [
      [owner, someId()],
      [other.owner.api, hidden.id],
    ]) {
      expectFailure(await api.put(`${TAGS}/${id}`, { parent_id: someId() }), 404);
      expectFailure(await api.get(`${TAGS}/${id}`), 404);
      expectFailure(await api.delete(`${TAGS}/${id}`), 404);
    }
    expect(await renderTree()).toBe('Hidden');
  });
});

it('allows a tree of 100 levels and returns all of them', async () => {
  let one = await createTag('1');
  const [first] = [one];
  for (let level = 2; level <= 100; level++) one = await createTag(`${level}`, one);
  expectFailure(await create({ name: '101', parent_id: one.id }), 422, { field: 'parent_id' });
  expect((await renderTree()).match(/\(/g)).toHaveLength(99);
  const top = await createTag('top');
  expectFailure(await moveTag(first, top), 422, { field: 'parent_id' });
  expectStatus(await owner.delete(`${TAGS}/${one.id}`), 204);
  expectStatus(await moveTag(first, top), 200);
});

describe('deleting a tag', () => {
  it('moves its children up to its parent', async () => {
    const a = await createTag('a');
    const b = await createTag('b', a);
    await createTag('d', await createTag('c', b));
    await createTag('e', b);
    expect(await renderTree()).toBe('a(b(c(d) e))');
    const answer = await owner.delete(`${TAGS}/${b.id}`);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(await renderTree()).toBe('a(c(d) e)');
    expectStatus(await owner.delete(`${TAGS}/${a.id}`), 204);
    expect(await renderTree()).toBe('c(d) e');
    expectFailure(await owner.get(`${TAGS}/${b.id}`), 404);
  });

  it('moves up a child that has the name of the deleted parent', async () => {
    const parent = await createTag('Billing', await createTag('Top'));
    await createTag('billing', parent);
    expectStatus(await owner.delete(`${TAGS}/${parent.id}`), 204);
    expect(await renderTree()).toBe('Top(billing)');
  });

  it('is rejected while a child would move next to a tag of the same name', async () => {
    const [a] = [await createTag('a'), await createTag('refunds')];
    const below = await createTag('Refunds', a);
    await createTag('Other', a);
    const answer = await owner.delete(`${TAGS}/${a.id}`);
    expectFailure(answer, 422, { code: 'tag_name_taken' });
    expect(answer.body.errors.detail).toContain('"Refunds"');
    expect(await renderTree()).toBe('a(Other Refunds) refunds');
    expectStatus(await updateTag(below, { name: 'Refunds of a' }), 200);
    expectStatus(await owner.delete(`${TAGS}/${a.id}`), 204);
    expect(await renderTree()).toBe('Other refunds Refunds of a');
  });

  it('records the deletion and the moved tags in the audit log', async () => {
    const a = await createTag('a');
    const b = await createTag('b', a);
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

describe('reading tags', () => {
  it('filters the list by parent and by part of the name', async () => {
    const a = await createTag('alpha');
    await createTag('beta', a);
    await createTag('alphabet', a);
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

  it('returns a tree of complete tags of the own tenant only', async () => {
    const a = await createTag('a');
    const b = await createTag('b', a);
    expect((await owner.get(`${TAGS}/tree`)).body).toEqual({
      data: [{ ...a, children: [{ ...b, children: [] }] }],
    });
    const stranger = await TestTenant.register(test, 'free');
    expect((await stranger.owner.api.get(`${TAGS}/tree`)).body).toEqual({ data: [] });
  });
});
