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

/** Creates a tag. @returns it as calls show it */
async function createTag(name: string, owningTenant = tenant): Promise<Json> {
  const response = await owningTenant.owner.api.post('/api/v1/tags', {
    name: `${name} ${++counter}`,
    color: '#16A34A',
  });
  expectStatus(response, 201);
  const { id, color, name: stored } = response.body.data;
  return { id, name: stored, color };
}

const createCall = async (): Promise<string> => (await tenant.join(link)).call_id;
const tagsPath = (id: string, tagId?: string) => `/api/v1/calls/${id}/tags${tagId ? `/${tagId}` : ''}`;
const add = (id: string, tag_id: unknown) => attendant.api.post(tagsPath(id), { tag_id });
const remove = (id: string, tagId: string) => attendant.api.delete(tagsPath(id, tagId));

/** Returns the tags of a call, which its details and its tag list must show alike. */
async function tagsOf(id: string): Promise<Json[]> {
  const { data } = (await attendant.api.get(tagsPath(id))).body;
  expect((await attendant.api.get(`/api/v1/calls/${id}`)).body.data.tags).toEqual(data);
  return data;
}

it('shows the tags of a call by name in its details and its tag list until they are removed', async () => {
  const [id, otherCallId] = [await createCall(), await createCall()];
  expect(await tagsOf(id)).toEqual([]);
  const [b, a] = [await createTag('b'), await createTag('a')];

  const response = await add(id, b.id);
  expect([response.status, response.body]).toEqual([201, { data: { ...b, color: '#16a34a' } }]);
  expectStatus(await add(id, a.id), 201);
  expectStatus(await add(otherCallId, a.id), 201);
  expect(await tagsOf(id)).toEqual([a, b]);

  const removed = await remove(id, a.id);
  expect([removed.status, removed.body]).toEqual([204, '']);
  expect(await tagsOf(id)).toEqual([b]);
  expect(await tagsOf(otherCallId)).toEqual([a]);
});

it('changes the call when a tag is added or removed, but not when the request is repeated', async () => {
  const id = await createCall();
  const { id: tagId, ...rest } = await createTag('once');
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

it('adds a tag once for ten parallel requests, and all of ten tags that are added in parallel', async () => {
  const [id, repeated] = [await createCall(), await createTag('same')];
  const responses = await Promise.all(Array.from({ length: 10 }, () => add(id, repeated.id)));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(await tagsOf(id)).toEqual([repeated]);
  expect((await callRow(test, id)).version).toBe(2);

  const tags: Json[] = [];
  for (let n = 0; n < 10; n++) tags.push(await createTag('one of ten'));
  await Promise.all(tags.map((tag) => add(id, tag.id)));
  expect(await tagsOf(id)).toHaveLength(11);
  expect((await callRow(test, id)).version).toBe(12);
  const removals = await Promise.all(Array.from({ length: 5 }, () => remove(id, repeated.id)));
  expect(removals.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
});

it('tags calls in any status', async () => {
  const { id: tagId } = await createTag('any');
  const id = await createCall();
  for (const step of ['assign', 'start', 'complete']) {
    expectStatus(await attendant.api.post(`/api/v1/calls/${id}/${step}`), 200);
    expectStatus(await add(id, tagId), 201);
    expectStatus(await remove(id, tagId), 204);
  }
});

it('rejects unknown tags with 422 and unknown calls with 404', async () => {
  const [id, own] = [await createCall(), await createTag('own')];
  const other = await TestTenant.register(test);
  const foreign = await createTag('foreign', other);
  for (const unknown of [someId(), foreign.id, 'x', 7, null, undefined, [own.id]]) {
    expectFailure(await add(id, unknown), 422, { field: 'tag_id' });
  }
  for (const api of [attendant.api, other.owner.api]) {
    const path = api === attendant.api ? tagsPath(someId()) : tagsPath(id);
    expectFailure(await api.get(path), 404);
    expectFailure(await api.post(path, { tag_id: own.id }), 404);
    expectFailure(await api.delete(`${path}/${own.id}`), 404);
  }
  expectFailure(await remove(id, foreign.id), 404);
  expect(await tagsOf(id)).toEqual([]);
  expect((await callRow(test, id)).version).toBe(1);
});

it('shows the new name and colour of a changed tag and removes a deleted tag from the call', async () => {
  const [id, renamed, deleted] = [await createCall(), await createTag('old'), await createTag('deleted')];
  for (const tag of [renamed, deleted]) expectStatus(await add(id, tag.id), 201);
  const change = { name: `new ${++counter}`, color: '#000000' };
  expectStatus(await tenant.owner.api.put(`/api/v1/tags/${renamed.id}`, change), 200);
  expectStatus(await tenant.owner.api.delete(`/api/v1/tags/${deleted.id}`), 204);
  expect(await tagsOf(id)).toEqual([{ id: renamed.id, ...change }]);
});

it('sends call_updated to staff for tags and manager notes, without the text of the notes', async () => {
  const [{ token }, id, tag] = [attendant, await createCall(), await createTag('told')];
  const staff = await connect(token);
  const nextUpdate = (version: number) =>
    staff.waitFor('call_updated', (update) => update.call_id === id && update.version === version);
  expectStatus(await add(id, tag.id), 201);
  expect(await nextUpdate(2)).toMatchObject({ status: 'queued' });
  expectStatus(await remove(id, tag.id), 204);
  await nextUpdate(3);
  // Assigned and completed in one step: versions 4 and 5.
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${id}/complete`), 200);
  const noteResponse = await tenant.owner.api.post(`/api/v1/calls/${id}/manager-notes`, {
    notes: 'Confidential',
  });
  expectStatus(noteResponse, 200);
  expect(await nextUpdate(6)).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(staff.received)).not.toContain('Confidential');
});
