import type { Answer, Api, Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { callRow } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';
import { Database } from '../../src/platform/database/database';

const PATH = '/api/v1/customers';
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

let test: TestApp;
let tenant: TestTenant;
let owner: Api;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
});

afterAll(() => test.close());

async function create(input: Json = {}, api = owner): Promise<Json> {
  const answer = await api.post(PATH, { customer: { name: 'João Lima', ...input } });
  expectStatus(answer, 201);
  return answer.body.data;
}

const get = (id: string) => owner.get(`${PATH}/${id}`);
const stored = async (id: string): Promise<Json> =>
  (await test.db.query('SELECT * FROM customers WHERE id = $1', [id])).rows[0];

async function act(callId: string, action: string): Promise<void> {
  expectStatus(await owner.post(`/api/v1/calls/${callId}/${action}`), 200);
}

/** A call through a link of the customer's own. */
async function callOf(customer: Json): Promise<Json> {
  const { department } = await tenant.queue();
  return tenant.join(await tenant.link(department.id, { customer_id: customer.id }));
}

describe('a customer', () => {
  it('is made with a name alone, and has every field', async () => {
    const customer = await create();
    expect(customer).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'João Lima',
      email: null,
      phone: null,
      document: null,
      notes: null,
      metadata: {},
      call_count: 0,
      last_call_at: null,
      inserted_at: TIMESTAMP,
      updated_at: TIMESTAMP,
    });
    expect((await get(customer.id)).body.data).toEqual(customer);
  });

  it('keeps what it is given, metadata as they are', async () => {
    const input = {
      name: 'Ana Souza',
      email: 'Ana@Example.com',
      phone: '+55 11 91234-5678',
      document: '529.982.247-25',
      notes: 'Prefers mornings\nand e-mail',
      metadata: { crm: { id: 4711, tags: ['a', null, 1.5], length: 3 }, vip: true, '': 'é 🙂' },
    };
    const customer = await create(input);
    expect(customer).toMatchObject(input);
    expect((await get(customer.id)).body.data.metadata).toEqual(input.metadata);
    // An e-mail belongs to as many as say so.
    await create({ email: input.email });
  });

  it('changes field by field, and its updated_at only with them', async () => {
    const customer = await create({ email: 'rui@example.com', phone: '1', metadata: { a: 1, b: 2 } });
    test.clock.advance(5);
    const same = await owner.put(`${PATH}/${customer.id}`, { phone: '1', metadata: { b: 2, a: 1 } });
    expect(same.body.data).toEqual(customer);
    const changed = await owner.put(`${PATH}/${customer.id}`, {
      customer: { email: '', metadata: { c: 3 } },
    });
    expectStatus(changed, 200);
    expect(changed.body.data).toEqual({
      ...customer,
      email: null,
      metadata: { c: 3 },
      updated_at: TIMESTAMP,
    });
    expect(Date.parse(changed.body.data.updated_at)).toBeGreaterThanOrEqual(
      Date.parse(customer.updated_at) + 5000,
    );
    const emptied = await owner.put(`${PATH}/${customer.id}`, { phone: null, metadata: null });
    expect(emptied.body.data).toMatchObject({ name: 'João Lima', phone: null, metadata: {} });
  });

  it.each<[string, Json, string]>([
    ['no name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['no e-mail address', { name: 'Ana', email: 'ana' }, 'email'],
    ['a phone of 41 characters', { name: 'Ana', phone: '1'.repeat(41) }, 'phone'],
    ['a document that is a number', { name: 'Ana', document: 7 }, 'document'],
    ['notes of 10,001 characters', { name: 'Ana', notes: 'x'.repeat(10_001) }, 'notes'],
    ['metadata that are a list', { name: 'Ana', metadata: [1] }, 'metadata'],
    ['metadata that are a text', { name: 'Ana', metadata: '{"a":1}' }, 'metadata'],
    ['metadata over 16 KiB', { name: 'Ana', metadata: { a: 'é'.repeat(8 * 1024) } }, 'metadata'],
    ['metadata with NUL', { name: 'Ana', metadata: { a: '\0' } }, 'metadata'],
    ['metadata that are a well', { name: 'Ana', metadata: wellOf(30) }, 'metadata'],
  ])('is refused with %s', async (_what, input, field) => {
    expectFailure(await owner.post(PATH, { customer: input }), 422, { field });
    const { id } = await create();
    if ('name' in input) expectFailure(await owner.put(`${PATH}/${id}`, input), 422, { field });
  });

  it('is refused with what PostgreSQL cannot hold', async () => {
    const body = String.raw`{ "name": "Ana", "metadata": { "half a character": "\ud83d" } }`;
    expectFailure(await owner.post(PATH, body), 422, { code: 'validation_failed' });
  });

  it('cannot be left without a name', async () => {
    const { id } = await create();
    expectFailure(await owner.put(`${PATH}/${id}`, { name: null }), 422, { field: 'name' });
    expect((await get(id)).body.data.name).toBe('João Lima');
  });

  it('is unknown to other companies', async () => {
    const customer = await create();
    const other = (await TestTenant.register(test)).owner.api;
    for (const answer of [
      await other.get(`${PATH}/${customer.id}`),
      await other.put(`${PATH}/${customer.id}`, { name: 'Mine' }),
      await other.delete(`${PATH}/${customer.id}`),
      await other.get(`${PATH}/${customer.id}/calls`),
      await other.get(`${PATH}/${customer.id}/export`),
      await other.post(`${PATH}/${customer.id}/erase`),
      await owner.get(`${PATH}/${someId()}`),
    ]) {
      expectFailure(answer, 404);
    }
    expect((await other.get(PATH)).body.data).toEqual([]);
    expect((await get(customer.id)).body.data).toEqual(customer);
  });
});

describe('the list of customers', () => {
  let own: Api;

  beforeAll(async () => {
    own = (await TestTenant.register(test)).owner.api;
    test.clock.advance(60);
    for (const [name, email, document] of [
      ['Bia', 'bia@example.com', '3'],
      ['Ana', 'ANA@example.com', '1'],
      ['Caio', 'caio@example.com', '2'],
    ]) {
      await create({ name, email, document }, own);
      test.clock.advance(60);
    }
  });

  const names = async (query: string): Promise<string[]> => {
    const answer = await own.get(`${PATH}?${query}`);
    expectStatus(answer, 200);
    return answer.body.data.map(({ name }: Json) => name);
  };

  it.each([
    ['', ['Ana', 'Bia', 'Caio']],
    ['sort_order=desc', ['Caio', 'Bia', 'Ana']],
    ['sort_by=document', ['Ana', 'Caio', 'Bia']],
    ['sort_by=inserted_at&sort_order=desc', ['Caio', 'Ana', 'Bia']],
    ['email=ana@EXAMPLE.com', ['Ana']],
    ['email=ana', []],
    ['page=2&page_size=2', ['Caio']],
  ])('?%s has %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('is filtered by when they came', async () => {
    const { data } = (await own.get(`${PATH}?sort_by=inserted_at&sort_order=asc`)).body;
    const second = data[1].inserted_at;
    expect(await names(`date_from=${second}`)).toEqual(['Ana', 'Caio']);
    expect(await names(`date_to=${second}`)).toEqual(['Ana', 'Bia']);
    expect(await names('date_to=2020-01-01')).toEqual([]);
  });
});

describe('whoever joins', () => {
  it('becomes a customer whose calls are counted', async () => {
    const { link } = await tenant.queue();
    const { call_id } = await tenant.join(link, { name: 'Nina', email: 'nina@example.com', phone: '77' });
    const { customer_id, inserted_at } = await callRow(test, call_id);
    const first = (await get(customer_id)).body.data;
    expect(first).toMatchObject({
      name: 'Nina',
      email: 'nina@example.com',
      phone: '77',
      call_count: 1,
      last_call_at: inserted_at.toISOString(),
    });
    const events = await test.db.query('SELECT type, payload FROM domain_events WHERE subject_id = $1', [
      customer_id,
    ]);
    expect(events.rows.map(({ type }) => type)).toEqual(['customer.created']);

    test.clock.advance(1);
    const again = await tenant.join(link, { name: 'N.', email: 'NINA@example.com' });
    const second = await callRow(test, again.call_id);
    expect((await get(customer_id)).body.data).toEqual({
      ...first,
      call_count: 2,
      last_call_at: second.inserted_at.toISOString(),
    });
  });
});

describe("a customer's calls", () => {
  it('are listed with the filters of the list of calls, the newest first', async () => {
    const customer = await create();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.unshift((await callOf(customer)).call_id);
      test.clock.advance(1);
    }
    await callOf(await create());
    await act(ids[0] ?? '', 'complete');

    const { data, meta } = (await owner.get(`${PATH}/${customer.id}/calls`)).body;
    expect(data.map(({ id }: Json) => id)).toEqual(ids);
    expect(meta).toMatchObject({ total_count: 3, total_pages: 1 });
    const [item] = (await owner.get(`/api/v1/calls?status=completed&search=${data[0].customer_name}`)).body
      .data;
    expect(item).toEqual(data[0]);
    const query = 'status=queued&page_size=1&page=2&sort_order=asc';
    const { body } = await owner.get(`${PATH}/${customer.id}/calls?${query}`);
    expect([body.data.map(({ id }: Json) => id), body.meta.total_count]).toEqual([[ids[1]], 2]);
    expectFailure(await owner.get(`${PATH}/${someId()}/calls`), 404);
  });

  it('are shown to a restricted attendant as far as they may see them', async () => {
    const strict = await TestTenant.register(test);
    expectStatus(await strict.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);
    const [mine, theirs] = [await strict.queue(), await strict.queue()];
    const attendant = await strict.member('attendant', [mine.department.id]);
    const joined = { name: 'Eva', email: 'eva@example.com' };
    const { call_id } = await strict.join(mine.link, joined);
    await strict.join(theirs.link, joined);
    const { customer_id } = await callRow(test, call_id);
    const shown = (await attendant.api.get(`${PATH}/${customer_id}/calls`)).body.data;
    expect(shown.map(({ id }: Json) => id)).toEqual([call_id]);
    expect((await strict.owner.api.get(`${PATH}/${customer_id}/calls`)).body.data).toHaveLength(2);
  });
});

const remove = (id: string): Promise<Answer> => owner.delete(`${PATH}/${id}`);

describe('deleting a customer', () => {
  it('leaves past calls as they were, without the customer, and cancels their links', async () => {
    const customer = await create({ email: 'past@example.com' });
    const { department } = await tenant.queue();
    const link = await tenant.link(department.id, { customer_id: customer.id });
    const { call_id } = await tenant.join(link, { name: 'Past', email: 'p@example.com', reason: 'Card' });
    await act(call_id, 'complete');
    const before = await callRow(test, call_id);

    const answer = await remove(customer.id);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expectFailure(await get(customer.id), 404);
    expectFailure(await remove(customer.id), 404);
    expect(await callRow(test, call_id)).toEqual({ ...before, customer_id: null });
    const { data } = (await owner.get(`/api/v1/access-links/${link.id}`)).body;
    expect(data).toMatchObject({ status: 'cancelled', customer_id: null });
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404);
    const words = await test.db.query('SELECT FROM customer_words WHERE customer_id = $1', [customer.id]);
    expect(words.rows).toEqual([]);
  });

  it.each(['queued', 'assigned', 'active'])('is refused while a call of theirs is %s', async (status) => {
    const customer = await create();
    const { call_id } = await callOf(customer);
    if (status !== 'queued') await act(call_id, status === 'assigned' ? 'assign' : 'start');
    const before = [await stored(customer.id), await callRow(test, call_id)];
    expect(before[1].status).toBe(status);
    expectFailure(await remove(customer.id), 422, { code: 'customer_in_use' });
    expectFailure(await owner.post(`${PATH}/${customer.id}/erase`), 422, { code: 'customer_in_use' });
    expect([await stored(customer.id), await callRow(test, call_id)]).toEqual(before);
    await act(call_id, 'complete');
    expectStatus(await remove(customer.id), 204);
  });

  it('and a join at the same moment: either the call keeps the customer, or it makes a new one', async () => {
    const { link } = await tenant.queue({ max_queue_size: 1000 });
    for (let round = 0; round < 8; round++) {
      const email = `race${round}@example.com`;
      const { id } = await create({ name: 'Race', email });
      const [gone, join] = await Promise.all([
        remove(id),
        test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Racer', email }),
      ]);
      expectStatus(join, 200);
      const { customer_id } = await callRow(test, join.body.data.call_id);
      expect([gone.status, customer_id === id]).toEqual(gone.status === 204 ? [204, false] : [422, true]);
      expect(await stored(customer_id)).toMatchObject({ email, call_count: 1 });
    }
  });

  it.each(['join', 'deletion'])('waits for what came first: the %s', async (first) => {
    const { link } = await tenant.queue();
    const email = `${first}@example.com`;
    const { id } = await create({ email });
    const steps = {
      join: () => test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Racer', email }),
      deletion: () => remove(id),
    };
    const order = first === 'join' ? [steps.join, steps.deletion] : [steps.deletion, steps.join];
    const answers: Promise<Answer>[] = [];
    // Somebody else has the customer in hand: both have begun before either can go on.
    await test.get(Database).tenant(tenant.id, async (tx) => {
      await tx.query('SELECT FROM customers WHERE id = $1 FOR UPDATE', [id]);
      for (const step of order) {
        answers.push(step());
        await waitForLockWaiters(test, answers.length);
      }
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(first === 'join' ? [200, 422] : [204, 200]);
  });
});

/** An object in an object in an object … */
function wellOf(depth: number): Json {
  return depth === 0 ? 1 : { a: wellOf(depth - 1) };
}
