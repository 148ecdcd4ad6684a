import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let link: Json;
let attendant: Member;
let counter = 0;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  const queue = await tenant.queue({ max_queue_size: 1000 });
  ({ link } = queue);
  attendant = await tenant.member('attendant', [queue.department.id]);
});

afterAll(() => test.close());

/** @returns the tag as it stands on calls */
async function tag(name: string, of = tenant): Promise<Json> {
  const answer = await of.owner.api.post('/api/v1/tags', { name: `${name} ${++counter}`, color: '#16A34A' });
  expectStatus(answer, 201);
  const { id, color, name: stored } = answer.body.data;
  return { id, name: stored, color };
}

const call = async (): Promise<string> => (await tenant.join(link)).call_id;
const pathOf = (id: string, tagId?: string) => `/api/v1/calls/${id}/tags${tagId ? `/${tagId}` : ''}`;
const add = (id: string, tag_id: unknown) => attendant.api.post(pathOf(id), { tag_id });
const remove = (id: string, tagId: string) => attendant.api.delete(pathOf(id, tagId));

/** As both places say that show them. */
async function tagsOf(id: string): Promise<Json[]> {
  const { data } = (await attendant.api.get(pathOf(id))).body;
  expect((await attendant.api.get(`/api/v1/calls/${id}`)).body.data.tags).toEqual(data);
  return data;
}

it('tags a call, by name in its details and its own list, until they are taken off', async () => {
  const [id, elsewhere] = [await call(), await call()];
  expect(await tagsOf(id)).toEqual([]);
  const [b, a] = [await tag('b'), await tag('a')];

  const answer = await add(id, b.id);
  expect([answer.status, answer.body]).toEqual([201, { data: { ...b, color: '#16a34a' } }]);
  expectStatus(await add(id, a.id), 201);
  expectStatus(await add(elsewhere, a.id), 201);
  expect(await tagsOf(id)).toEqual([a, b]);

  const removed = await remove(id, a.id);
  expect([removed.status, removed.body]).toEqual([204, '']);
  expect(await tagsOf(id)).toEqual([b]);
  expect(await tagsOf(elsewhere)).toEqual([a]);
});

it('is a change of the call each time, and no change the second time', async () => {
  const id = await call();
  const { id: tagId, ...rest } = await tag('once');
  for (const _ of [1, 2]) {
    expect((await add(id, tagId)).body).toEqual({ data: { id: tagId, ...rest } });
    expect(await eventsOf(test, id)).toEqual(['call.queued', 'call.updated']);
    expect((await callRow(test, id)).version).toBe(2);
  }
  expectStatus(await remove(id, tagId), 204);
  expectFailure(await remove(id, tagId), 404, { code: 'not_found' });
  expect(await eventsOf(test, id)).toEqual(['call.queued', 'call.updated', 'call.updated']);
  expect((await callRow(test, id)).version).toBe(3);
});

it('adds once what is added ten times at once, and every tag of ten', async () => {
  const [id, same] = [await call(), await tag('same')];
  const answers = await Promise.all(Array.from({ length: 10 }, () => add(id, same.id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(await tagsOf(id)).toEqual([same]);
  expect((await callRow(test, id)).version).toBe(2);

  const tags: Json[] = [];
  for (let n = 0; n < 10; n++) tags.push(await tag('one of ten'));
  await Promise.all(tags.map((one) => add(id, one.id)));
  expect(await tagsOf(id)).toHaveLength(11);
  expect((await callRow(test, id)).version).toBe(12);
  const removals = await Promise.all(Array.from({ length: 5 }, () => remove(id, same.id)));
  expect(removals.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
});

it('tags calls in any state', async () => {
  const { id: tagId } = await tag('any');
  const id = await call();
  for (const step of ['assign', 'start', 'complete']) {
    expectStatus(await attendant.api.post(`/api/v1/calls/${id}/${step}`), 200);
    expectStatus(await add(id, tagId), 201);
    expectStatus(await remove(id, tagId), 204);
  }
});

it('refuses a tag that there is not, and finds no call that there is not', async () => {
  const [id, own] = [await call(), await tag('own')];
  const other = await TestTenant.register(test);
  const foreign = await tag('foreign', other);
  for (const unknown of [someId(), foreign.id, 'x', 7, null, undefined, [own.id]]) {
    expectFailure(await add(id, unknown), 422, { field: 'tag_id' });
  }
  for (const api of [attendant.api, other.owner.api]) {
    const path = api === attendant.api ? pathOf(someId()) : pathOf(id);
    expectFailure(await api.get(path), 404);
    expectFailure(await api.post(path, { tag_id: own.id }), 404);
    expectFailure(await api.delete(`${path}/${own.id}`), 404);
  }
  expectFailure(await remove(id, foreign.id), 404);
  expect(await tagsOf(id)).toEqual([]);
  expect((await callRow(test, id)).version).toBe(1);
});

it('follows the tag: a new name and colour show, and a deleted one is on no call', async () => {
  const [id, renamed, deleted] = [await call(), await tag('old'), await tag('deleted')];
  for (const one of [renamed, deleted]) expectStatus(await add(id, one.id), 201);
  const change = { name: `new ${++counter}`, color: '#000000' };
  expectStatus(await tenant.owner.api.put(`/api/v1/tags/${renamed.id}`, change), 200);
  expectStatus(await tenant.owner.api.delete(`/api/v1/tags/${deleted.id}`), 204);
  expect(await tagsOf(id)).toEqual([{ id: renamed.id, ...change }]);
});

it('tells staff over the socket of a tag and of a manager’s note', async () => {
  const [{ token }, id, one] = [attendant, await call(), await tag('told')];
  const staff = await connect(token);
  const told = (version: number) =>
    staff.waitFor('call_updated', (news) => news.call_id === id && news.version === version);
  expectStatus(await add(id, one.id), 201);
  expect(await told(2)).toMatchObject({ status: 'queued' });
  expectStatus(await remove(id, one.id), 204);
  await told(3);
  // Assigned and completed in one step: versions 4 and 5.
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${id}/complete`), 200);
  const noted = await tenant.owner.api.post(`/api/v1/calls/${id}/manager-notes`, { notes: 'Confidential' });
  expectStatus(noted, 200);
  expect(await told(6)).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(staff.received)).not.toContain('Confidential');
});
