import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const TAGS = '/api/v1/tags';
const ROUNDS = 10;

let test: TestApp;
let tenant: TestTenant;
let owner: Member['api'];

beforeAll(async () => {
  test = await sharedTestApp();
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
});

afterAll(() => test.close());

async function createTag(name: string, parent_id: string | null = null): Promise<string> {
  const answer = await owner.post(TAGS, { name, parent_id });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

const moveTag = (id: string, parent_id: string) => owner.put(`${TAGS}/${id}`, { parent_id });

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** The number of tags in the tree. Tags of a cycle are not counted, because no root leads to them. */
async function countTreeTags(): Promise<number> {
  const count = (tags: Json[]): number => tags.reduce((sum, { children }) => sum + 1 + count(children), 0);
  return count((await owner.get(`${TAGS}/tree`)).body.data);
}

it('accepts exactly one of two concurrent moves that would form a cycle', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await createTag(`a ${round}`), await createTag(`b ${round}`)];
    const answers = await Promise.all([moveTag(a, b), moveTag(b, a)]);
    expect(statuses(answers)).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.errors.code).toBe('tag_cycle');
  }
  expect(await countTreeTags()).toBe(2 * ROUNDS);
});

it('rejects exactly one of six concurrent moves that would form a cycle', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ring: string[] = [];
    for (let n = 0; n < 6; n++) ring.push(await createTag(`${round}.${n}`));
    const answers = await Promise.all(ring.map((id, n) => moveTag(id, ring[(n + 1) % 6] ?? '')));
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 422]);
  }
  expect(await countTreeTags()).toBe(6 * ROUNDS);
});

it('creates one tag when eight concurrent requests use the same name', async () => {
  const answers = await Promise.all(
    ['New', 'new', 'NEW', 'nEw', 'neW', 'NeW', 'NEw', 'nEW'].map((name) => owner.post(TAGS, { name })),
  );
  expect(statuses(answers)).toEqual([201, ...Array(7).fill(422)]);
  expect(await countTreeTags()).toBe(1);
});

it('rejects or moves up a child that is created while its parent is deleted', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const parent = await createTag(`parent ${round}`, await createTag(`top ${round}`));
    const [created, deleted] = await Promise.all([
      owner.post(TAGS, { name: 'child', parent_id: parent }),
      owner.delete(`${TAGS}/${parent}`),
    ]);
    expect(deleted.status).toBe(204);
    expect([201, 422]).toContain(created.status);
    if (created.status === 422) expect(created.body.errors.fields).toHaveProperty('parent_id');
    const { data } = (await owner.get(`${TAGS}?search=child&page_size=100`)).body;
    expect(data.some(({ parent_id }: Json) => parent_id === parent)).toBe(false);
  }
});

it('leaves a tag on no call when it is deleted while being added, and no request fails with a server error', async () => {
  const { link } = await tenant.queue({ max_queue_size: 500 });
  const calls: string[] = [];
  for (let n = 0; n < 10; n++) calls.push((await tenant.join(link)).call_id);
  const id = await createTag('short-lived');
  const adding = calls.map((call) => owner.post(`/api/v1/calls/${call}/tags`, { tag_id: id }));
  const [deleted, ...answers] = await Promise.all([owner.delete(`${TAGS}/${id}`), ...adding]);
  expect(deleted?.status).toBe(204);
  for (const { status } of answers) expect([201, 422]).toContain(status);
  const { rows } = await test.db.query('SELECT FROM call_tags WHERE tag_id = $1', [id]);
  expect(rows).toEqual([]);
});
