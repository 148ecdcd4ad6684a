import { PhoneNumbers } from '../../src/customers/phone-numbers';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('the customer of a join', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 1000 }));
  });

  afterAll(() => test.close());

  it('is never changed by what the joining person claims', async () => {
    const phone = '(51) 98765-0001';
    const first = await tenant.join(link, { name: 'Maria', email: 'maria@example.com', phone });
    const { customer_id } = await callRow(test, first.call_id);
    const { body } = await tenant.owner.api.get(`/api/v1/calls/${first.call_id}`);
    expect(body.data.customer_id).toBe(customer_id);
    const stored = async () => {
      const { rows } = await test.db.query('SELECT * FROM customers WHERE id = $1', [customer_id]);
      // These counters depend on the calls, not on what was claimed.
      const { call_count: _count, last_call_at: _last, ...fields } = rows[0];
      return fields;
    };
    const before = await stored();
    const byMail = await tenant.join(link, { name: 'Mallory', email: 'MARIA@example.com', phone: '999' });
    const byPhone = await tenant.join(link, { name: 'Mallory', phone });
    const byFormattedPhone = await tenant.join(link, { name: 'Mallory', phone: '51.987650001' });
    expect((await callRow(test, byFormattedPhone.call_id)).customer_id).toBe(customer_id);
    const stranger = await tenant.join(link, { name: 'Maria' });
    expect((await callRow(test, byMail.call_id)).customer_id).toBe(customer_id);
    expect((await callRow(test, byPhone.call_id)).customer_id).toBe(customer_id);
    expect((await callRow(test, stranger.call_id)).customer_id).not.toBe(customer_id);
    expect(await stored()).toEqual(before);
    expect((await callRow(test, byMail.call_id)).customer_name).toBe('Mallory');
  });

  it('is found by the phone in any notation', async () => {
    const ids = new Set<string>();
    for (const phone of ['(11) 98765-4321', '+55 11 98765-4321', '011 98765 4321', '5511987654321']) {
      const { call_id } = await tenant.join(link, { name: 'Ana', phone });
      const { customer_id, customer_phone } = await callRow(test, call_id);
      expect(customer_phone).toBe(phone);
      ids.add(customer_id);
    }
    expect(ids.size).toBe(1);
    const other = await tenant.join(link, { name: 'Ana', phone: '+351 11 98765 4321' });
    expect(ids).not.toContain((await callRow(test, other.call_id)).customer_id);
    const found = await tenant.owner.api.get('/api/v1/customers?search=%2B55%2011%2098765-4321');
    expect(found.body.data).toMatchObject([{ phone: '(11) 98765-4321' }]);
  });

  it.each(['111', '1', '0', '12345', '98765-4321', '11111111', '+55 11', '(11) 9', '99999999999999999999'])(
    'is nobody else’s by the phone %j, which is not a number',
    async (phone) => {
      const ids = new Set<string>();
      const stored = await tenant.owner.api.post('/api/v1/customers', { name: 'Rosa', phone });
      ids.add(stored.body.data.id);
      for (let n = 0; n < 2; n++) {
        const { call_id } = await tenant.join(link, { name: 'Mallory', phone });
        const { customer_id, identity_confirmed, customer_phone } = await callRow(test, call_id);
        expect([identity_confirmed, customer_phone]).toEqual([null, phone]);
        ids.add(customer_id);
      }
      expect(ids.size).toBe(3);
    },
  );

  it('is confirmed by a personal link only, in the details, the list and the events of a call', async () => {
    const { api } = tenant.owner;
    const queue = await tenant.queue();
    const email = 'vera@example.com';
    const first = await tenant.join(queue.link, { name: 'Vera', email });
    const claimed = await tenant.join(queue.link, { name: 'Mallory', email: 'VERA@example.com' });
    const { customer_id } = await callRow(test, first.call_id);
    const own = await tenant.join(await tenant.link(queue.department.id, { customer_id }), { name: 'Vera' });
    const expected = new Map([
      [first.call_id, null],
      [claimed.call_id, false],
      [own.call_id, true],
    ]);
    const { data } = (await api.get(`/api/v1/calls?department_id=${queue.department.id}`)).body;
    expect(new Map(data.map((call: Json) => [call.id, call.identity_confirmed]))).toEqual(
      new Map([...expected].toReversed()),
    );
    for (const [id, confirmed] of expected) {
      expect((await api.get(`/api/v1/calls/${id}`)).body.data.identity_confirmed).toBe(confirmed);
    }
  });

  it.each(['first', 'last'])(
    'of open calls that are merged only says to be both: into the %s',
    async (kept) => {
      const joined = [
        await tenant.join(link, { name: 'Lia', email: `lia@${kept}.example` }),
        await tenant.join(link, { name: 'Lia', email: `lia@work.${kept}.example` }),
      ];
      const ids = await Promise.all(
        joined.map(async ({ call_id }) => (await callRow(test, call_id)).customer_id as string),
      );
      const [primary_id, duplicate] = kept === 'first' ? ids : ids.toReversed();
      const { api } = tenant.owner;
      expectStatus(
        await api.post('/api/v1/customers/merge', { primary_id, duplicate_ids: [duplicate] }),
        200,
      );
      for (const { call_id } of joined) {
        const { body } = await api.get(`/api/v1/calls/${call_id}`);
        expect(body.data).toMatchObject({ customer_id: primary_id, identity_confirmed: false });
      }
    },
  );

  it('is one, though many join at once with the same phone in two notations', async () => {
    const { link: busy } = await tenant.queue({ max_queue_size: 50 });
    const joined = await Promise.all(
      ['(21) 98888-7777', '+55 21 98888-7777'].flatMap((phone) =>
        Array.from({ length: 10 }, () => tenant.join(busy, { name: 'Rui', phone })),
      ),
    );
    const calls = await Promise.all(joined.map(({ call_id }) => callRow(test, call_id)));
    expect(new Set(calls.map(({ customer_id }) => customer_id)).size).toBe(1);
  });

  it('is found by the phone after staff have changed or merged it', async () => {
    const { api } = tenant.owner;
    const create = async (phone: string) => {
      const answer = await api.post('/api/v1/customers', { name: 'Eva', phone });
      expectStatus(answer, 201);
      return answer.body.data.id as string;
    };
    const joinWith = async (phone: string) =>
      (await callRow(test, (await tenant.join(link, { name: 'Eva', phone })).call_id)).customer_id;
    const [eva, twin] = [await create('(31) 97777-0001'), await create('(31) 97777-0002')];
    expectStatus(await api.put(`/api/v1/customers/${eva}`, { phone: '+55 31 97777-0001' }), 200);
    expect(await joinWith('31 97777-0001')).toBe(eva);
    expectStatus(await api.put(`/api/v1/customers/${eva}`, { phone: null }), 200);
    const merge = { primary_id: eva, duplicate_ids: [twin] };
    expectStatus(await api.post('/api/v1/customers/merge', merge), 200);
    expect(await joinWith('+55 31 97777-0002')).toBe(eva);
    expect(await joinWith('+55 31 97777-0001')).not.toBe(eva);
  });

  it('is found by the phone that a former release has stored, at first by its digits', async () => {
    const { rows } = await test.db.query<{ id: string }>(
      `INSERT INTO customers (tenant_id, name, phone) VALUES ($1, 'Old', '(41) 96666-5555') RETURNING id`,
      [tenant.id],
    );
    const id = rows[0]?.id;
    const joinWith = async (phone: string) =>
      (await callRow(test, (await tenant.join(link, { name: 'Old', phone })).call_id)).customer_id;
    expect(await joinWith('41 96666 5555')).toBe(id);
    await test.get(PhoneNumbers).normalizeAll();
    expect(await joinWith('+55 41 96666-5555')).toBe(id);
    const { body } = await tenant.owner.api.get(`/api/v1/customers/${id}`);
    expect(body.data.phone).toBe('(41) 96666-5555');
  });

  it('is compared by the country of the company, which may change', async () => {
    const other = await TestTenant.register(test);
    const { link: door } = await other.queue();
    const joinWith = async (phone: string) =>
      (await callRow(test, (await other.join(door, { name: 'Ines', phone })).call_id)).customer_id;
    const ines = await joinWith('912 345 678');
    expectStatus(await other.owner.api.put('/api/v1/tenant', { country: 'PT' }), 200);
    await until(async () => {
      const { rows } = await test.db.query('SELECT phone_normalized FROM customers WHERE id = $1', [ines]);
      return rows[0].phone_normalized === '+351912345678';
    });
    expect(await joinWith('+351 912 345 678')).toBe(ines);
    const { rows } = await test.db.query('SELECT phone FROM customers WHERE id = $1', [ines]);
    expect(rows).toEqual([{ phone: '912 345 678' }]);
  });

  it("is the link's customer, whatever contact data is entered", async () => {
    const known = await callRow(test, (await tenant.join(link, { name: 'Rui' })).call_id);
    const own = await tenant.link(department.id, { customer_id: known.customer_id });
    const joined = await tenant.join(own, { name: 'Rui', email: 'maria@example.com' });
    expect((await callRow(test, joined.call_id)).customer_id).toBe(known.customer_id);
  });
});
