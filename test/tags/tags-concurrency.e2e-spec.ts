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

async function tag(name: string, parent_id: string | null = null): Promise<string> {
  const answer = await owner.post(TAGS, { name, parent_id });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

const move = (id: string, parent_id: string) => owner.put(`${TAGS}/${id}`, { parent_id });

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** How many tags hang from the top, however deep: a circle hangs from nothing. */
async function reachable(): Promise<number> {
  const count = (tags: Json[]): number => tags.reduce((sum, { children }) => sum + 1 + count(children), 0);
  return count((await owner.get(`${TAGS}/tree`)).body.data);
}

it('of two moves that would make a circle together, exactly one is done', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await tag(`a ${round}`), await tag(`b ${round}`)];
    const answers = await Promise.all([move(a, b), move(b, a)]);
    expect(statuses(answers)).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.errors.code).toBe('tag_cycle');
  }
  expect(await reachable()).toBe(2 * ROUNDS);
});

it('of six moves in a ring, one is not done', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ring: string[] = [];
    for (let n = 0; n < 6; n++) ring.push(await tag(`${round}.${n}`));
    const answers = await Promise.all(ring.map((id, n) => move(id, ring[(n + 1) % 6] ?? '')));
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 422]);
  }
  expect(await reachable()).toBe(6 * ROUNDS);
});

it('of eight tags of one name made at once, one is made', async () => {
  const answers = await Promise.all(
    ['New', 'new', 'NEW', 'nEw', 'neW', 'NeW', 'NEw', 'nEW'].map((name) => owner.post(TAGS, { name })),
  );
  expect(statuses(answers)).toEqual([201, ...Array(7).fill(422)]);
  expect(await reachable()).toBe(1);
});

it('a tag that is made below one that goes is refused, or moves up with the others', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const parent = await tag(`parent ${round}`, await tag(`top ${round}`));
    const [made, gone] = await Promise.all([
      owner.post(TAGS, { name: 'child', parent_id: parent }),
      owner.delete(`${TAGS}/${parent}`),
    ]);
    expect(gone.status).toBe(204);
    expect([201, 422]).toContain(made.status);
    if (made.status === 422) expect(made.body.errors.fields).toHaveProperty('parent_id');
    const { data } = (await owner.get(`${TAGS}?search=child&page_size=100`)).body;
    expect(data.some(({ parent_id }: Json) => parent_id === parent)).toBe(false);
  }
});

it('a tag that goes while calls get it is on none of them afterwards, and no request fails', async () => {
  const { link } = await tenant.queue({ max_queue_size: 500 });
  const calls: string[] = [];
  for (let n = 0; n < 10; n++) calls.push((await tenant.join(link)).call_id);
  const id = await tag('short-lived');
  const adding = calls.map((call) => owner.post(`/api/v1/calls/${call}/tags`, { tag_id: id }));
  const [gone, ...answers] = await Promise.all([owner.delete(`${TAGS}/${id}`), ...adding]);
  expect(gone?.status).toBe(204);
  for (const { status } of answers) expect([201, 422]).toContain(status);
  const { rows } = await test.db.query('SELECT FROM call_tags WHERE tag_id = $1', [id]);
  expect(rows).toEqual([]);
});
