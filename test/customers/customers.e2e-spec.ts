import type { Answer, Api, Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { callRow } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { Database } from '../../src/platform/database/database';

const PATH = '/api/v1/customers';
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

let test: TestApp;
let tenant: TestTenant;
let owner: Api;

beforeAll(async () => {
  test = await sharedTestApp();
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

async function transitionCall(callId: string, action: string): Promise<void> {
  expectStatus(await owner.post(`/api/v1/calls/${callId}/${action}`), 200);
}

/** Creates a call through a personal link of the customer. */
async function callOf(customer: Json): Promise<Json> {
  const { department } = await tenant.queue();
  return tenant.join(await tenant.link(department.id, { customer_id: customer.id }));
}

describe('a customer', () => {
  it('can be created with only a name and has every field', async () => {
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

  it('is stored as entered, including metadata', async () => {
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
    // Several customers may have the same e-mail.
    await create({ email: input.email });
  });

  it('is updated field by field, and updated_at changes only with a field', async () => {
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
    ['a malformed e-mail', { name: 'Ana', email: 'ana' }, 'email'],
    ['a phone of 41 characters', { name: 'Ana', phone: '1'.repeat(41) }, 'phone'],
    ['a document that is a number', { name: 'Ana', document: 7 }, 'document'],
    ['notes of 10,001 characters', { name: 'Ana', notes: 'x'.repeat(10_001) }, 'notes'],
    ['a list as metadata', { name: 'Ana', metadata: [1] }, 'metadata'],
    ['text as metadata', { name: 'Ana', metadata: '{"a":1}' }, 'metadata'],
    ['metadata over 16 KiB', { name: 'Ana', metadata: { a: 'é'.repeat(8 * 1024) } }, 'metadata'],
    ['metadata with NUL', { name: 'Ana', metadata: { a: '\0' } }, 'metadata'],
    ['deeply nested metadata', { name: 'Ana', metadata: nestedMetadata(30) }, 'metadata'],
  ])('is rejected with %s', async (_what, input, field) => {
    expectFailure(await owner.post(PATH, { customer: input }), 422, { field });
    const { id } = await create();
    if ('name' in input) expectFailure(await owner.put(`${PATH}/${id}`, input), 422, { field });
  });

  it('is rejected with text that PostgreSQL cannot store', async () => {
    const body = String.raw`{ "name": "Ana", "metadata": { "half a character": "\ud83d" } }`;
    expectFailure(await owner.post(PATH, body), 422, { code: 'validation_failed' });
  });

  it('cannot lose its name', async () => {
    const { id } = await create();
    expectFailure(await owner.put(`${PATH}/${id}`, { name: null }), 422, { field: 'name' });
    expect((await get(id)).body.data.name).toBe('João Lima');
  });

  it('is hidden from other tenants', async () => {
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
  let otherApi: Api;

  beforeAll(async () => {
    otherApi = (await TestTenant.register(test)).owner.api;
    test.clock.advance(60);
    for (const [name, email, document] of [
      ['Bia', 'bia@example.com', '3'],
      ['Ana', 'ANA@example.com', '1'],
      ['Caio', 'caio@example.com', '2'],
    ]) {
      await create({ name, email, document }, otherApi);
      test.clock.advance(60);
    }
  });

  const names = async (query: string): Promise<string[]> => {
    const answer = await otherApi.get(`${PATH}?${query}`);
    expectStatus(answer, 200);
    return answer.body.data.map(({ name }: Json) => name);
  };

  it.each([
    ['', ['Ana', 'Bia', 'Caio']],
    ['sort_order=desc', ['Caio', 'Bia', 'Ana']],
    ['sort_by=document', ['Ana', 'Caio', 'Bia']],
    ['sort_by=inserted_at&sort_order=desc', ['Caio', 'Ana', 'Bia']],
    ['email=ana@EXAMPLE.com', ['Ana']],
    ['email=%20ana%E2%80%8B@example.com', ['Ana']],
    ['email=ana', []],
    ['page=2&page_size=2', ['Caio']],
  ])('with ?%s contains %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('is filtered by creation time', async () => {
    const { data } = (await otherApi.get(`${PATH}?sort_by=inserted_at&sort_order=asc`)).body;
    const second = data[1].inserted_at;
    expect(await names(`date_from=${second}`)).toEqual(['Ana', 'Caio']);
    expect(await names(`date_to=${second}`)).toEqual(['Ana', 'Bia']);
    expect(await names('date_to=2020-01-01')).toEqual([]);
  });
});

describe('a person who joins', () => {
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
  it('are listed newest first, with the filters of the call list', async () => {
    const customer = await create();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.unshift((await callOf(customer)).call_id);
      test.clock.advance(1);
    }
    await callOf(await create());
    await transitionCall(ids[0] ?? '', 'complete');

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

  it('are limited to the calls that a restricted attendant may see', async () => {
    const restricted = await TestTenant.register(test);
    expectStatus(await restricted.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);
    const [allowed, forbidden] = [await restricted.queue(), await restricted.queue()];
    const attendant = await restricted.member('attendant', [allowed.department.id]);
    const joined = { name: 'Eva', email: 'eva@example.com' };
    const { call_id } = await restricted.join(allowed.link, joined);
    await restricted.join(forbidden.link, joined);
    const { customer_id } = await callRow(test, call_id);
    const shown = (await attendant.api.get(`${PATH}/${customer_id}/calls`)).body.data;
    expect(shown.map(({ id }: Json) => id)).toEqual([call_id]);
    expect((await restricted.owner.api.get(`${PATH}/${customer_id}/calls`)).body.data).toHaveLength(2);
  });
});

const deleteCustomer = (id: string): Promise<Answer> => owner.delete(`${PATH}/${id}`);

describe('deleting a customer', () => {
  it('keeps past calls without the customer, and cancels the customer’s links', async () => {
    const customer = await create({ email: 'past@example.com' });
    const { department } = await tenant.queue();
    const link = await tenant.link(department.id, { customer_id: customer.id });
    const { call_id } = await tenant.join(link, { name: 'Past', email: 'p@example.com', reason: 'Card' });
    await transitionCall(call_id, 'complete');
    const before = await callRow(test, call_id);

    const answer = await deleteCustomer(customer.id);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expectFailure(await get(customer.id), 404);
    expectFailure(await deleteCustomer(customer.id), 404);
    expect(await callRow(test, call_id)).toEqual({ ...before, customer_id: null });
    const { data } = (await owner.get(`/api/v1/access-links/${link.id}`)).body;
    expect(data).toMatchObject({ status: 'cancelled', customer_id: null });
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404);
    const words = await test.db.query('SELECT FROM customer_words WHERE customer_id = $1', [customer.id]);
    expect(words.rows).toEqual([]);
  });

  it.each(['queued', 'assigned', 'active'])(
    'is rejected while a call of the customer is %s',
    async (status) => {
      const customer = await create();
      const { call_id } = await callOf(customer);
      if (status !== 'queued') await transitionCall(call_id, status === 'assigned' ? 'assign' : 'start');
      const before = [await stored(customer.id), await callRow(test, call_id)];
      expect(before[1].status).toBe(status);
      expectFailure(await deleteCustomer(customer.id), 422, { code: 'customer_in_use' });
      expectFailure(await owner.post(`${PATH}/${customer.id}/erase`), 422, { code: 'customer_in_use' });
      expect([await stored(customer.id), await callRow(test, call_id)]).toEqual(before);
      await transitionCall(call_id, 'complete');
      expectStatus(await deleteCustomer(customer.id), 204);
    },
  );

  describe.each([
    ['deletion', deleteCustomer],
    ['erasure', (id: string) => owner.post(`${PATH}/${id}/erase`)],
  ])('by %s', (what, remove) => {
    it.each(['queued', 'assigned', 'active'])(
      'detaches a call that is %s, if only a typed e-mail or phone connects it',
      async (status) => {
        const email = `${what}-${status}@example.com`;
        const phone = '+55 11 98888-1234';
        const customer = await create({ email, phone });
        const { link } = await tenant.queue();
        const claims = [{ email }, { phone: '(11) 98888-1234' }];
        for (const claim of claims) {
          const { call_id } = await tenant.join(link, { name: 'Mallory', ...claim });
          if (status !== 'queued') await transitionCall(call_id, status === 'assigned' ? 'assign' : 'start');
        }
        const calls = (await test.db.query('SELECT * FROM calls WHERE customer_id = $1', [customer.id])).rows;
        expect(calls).toMatchObject(claims.map(() => ({ status, identity_confirmed: false })));

        expect((await remove(customer.id)).status).toBeLessThan(300);
        expectFailure(await get(customer.id), 404);
        const contact = what === 'erasure' ? { customer_email: null, customer_phone: null } : {};
        for (const { id, version, updated_at: _, ...before } of calls) {
          const { updated_at: _at, ...after } = await callRow(test, id);
          const changes = { customer_id: null, identity_confirmed: null, version: version + 1, ...contact };
          expect(after).toEqual({ id, ...before, ...changes });
          await transitionCall(id, 'complete');
        }
      },
    );

    it('during a join detaches the call, or leaves it with a new customer', async () => {
      const { link } = await tenant.queue({ max_queue_size: 1000 });
      const outcomes: (string | null)[] = [];
      for (let round = 0; round < 12; round++) {
        const email = `${what}-race${round}@example.com`;
        const { id } = await create({ name: 'Race', email });
        const join = () => tenant.join(link, { name: 'Racer', email });
        const [removed, ...joins] = await Promise.all([remove(id), join(), join(), join()]);
        expect(removed.status).toBeLessThan(300);
        expect(await stored(id)).toBeUndefined();
        for (const { call_id } of joins) {
          const { customer_id, status } = await callRow(test, call_id);
          expect(status).toBe('queued');
          if (customer_id !== null) expect(await stored(customer_id)).toMatchObject({ email });
          outcomes.push(customer_id);
        }
      }
      expect(outcomes).not.toEqual([]);
    });
  });

  it('detaches the open call that brought the customer by a typed e-mail, whose name an erasure takes', async () => {
    const { link } = await tenant.queue();
    for (const erased of [false, true]) {
      const email = `first-${erased}@example.com`;
      const first = await tenant.join(link, { name: 'First', email });
      const { customer_id } = await callRow(test, first.call_id);
      const claimed = await tenant.join(link, { name: 'Mallory', email });
      if (erased) expectStatus(await owner.post(`${PATH}/${customer_id}/erase`), 200);
      else expectStatus(await deleteCustomer(customer_id), 204);
      const detached = { customer_id: null, customer_email: erased ? null : email, status: 'queued' };
      const name = erased ? '-' : 'First';
      expect(await callRow(test, first.call_id)).toMatchObject({ ...detached, customer_name: name });
      expect(await callRow(test, claimed.call_id)).toMatchObject({ ...detached, customer_name: 'Mallory' });
    }
  });

  it('is rejected while the call that brought the customer without a contact is open', async () => {
    const { link } = await tenant.queue();
    const { call_id } = await tenant.join(link, { name: 'Nameless' });
    const { customer_id } = await callRow(test, call_id);
    const erase = () => owner.post(`${PATH}/${customer_id}/erase`);
    expectFailure(await deleteCustomer(customer_id), 422, { code: 'customer_in_use' });
    expectFailure(await erase(), 422, { code: 'customer_in_use' });
    expect(await callRow(test, call_id)).toMatchObject({ customer_id, version: 1 });
    await transitionCall(call_id, 'complete');
    expectStatus(await erase(), 200);
    expect(await callRow(test, call_id)).toMatchObject({ customer_name: '-' });
  });

  it('is rejected while a call through a personal link is open, whatever else is', async () => {
    const customer = await create({ email: 'both@example.com' });
    const own = await callOf(customer);
    const { link } = await tenant.queue();
    const claimed = await tenant.join(link, { name: 'Mallory', email: 'both@example.com' });
    expectFailure(await deleteCustomer(customer.id), 422, { code: 'customer_in_use' });
    expect(await callRow(test, claimed.call_id)).toMatchObject({ customer_id: customer.id, version: 1 });
    await transitionCall(own.call_id, 'complete');
    expectStatus(await deleteCustomer(customer.id), 204);
    expect(await callRow(test, claimed.call_id)).toMatchObject({ customer_id: null, status: 'queued' });
  });

  it.each(['join', 'deletion'])('is serialised with a join: the %s comes first', async (first) => {
    const { link } = await tenant.queue();
    const email = `${first}@example.com`;
    const { id } = await create({ email });
    const steps = {
      join: () => test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Racer', email }),
      deletion: () => deleteCustomer(id),
    };
    const order = first === 'join' ? [steps.join, steps.deletion] : [steps.deletion, steps.join];
    const answers: Promise<Answer>[] = [];
    // Another transaction locks the customer, so both requests start before either can continue.
    await test.get(Database).tenant(tenant.id, async (tx) => {
      await tx.query('SELECT FROM customers WHERE id = $1 FOR UPDATE', [id]);
      for (const step of order) {
        answers.push(step());
        await waitForLockWaiters(test, answers.length);
      }
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(first === 'join' ? [200, 204] : [204, 200]);
    const { rows } = await test.db.query('SELECT customer_id FROM calls WHERE customer_email = $1', [email]);
    // The deletion detaches a call that was there before. A join that waits for a lock may be tried again after it.
    expect(rows).toHaveLength(1);
    if (rows[0].customer_id !== null) expect(await stored(rows[0].customer_id)).toMatchObject({ email });
  });
});

/** Returns an object nested to this depth. */
function nestedMetadata(depth: number): Json {
  return depth === 0 ? 1 : { a: nestedMetadata(depth - 1) };
}
