import type { Json } from '../support/http/api';
import { TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

describe('the customer of a join', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue());
  });

  afterAll(() => test.close());

  it('is never changed by what the joining person claims', async () => {
    const first = await tenant.join(link, { name: 'Maria', email: 'maria@example.com', phone: '111' });
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
    const byPhone = await tenant.join(link, { name: 'Mallory', phone: '111' });
    const byFormattedPhone = await tenant.join(link, { name: 'Mallory', phone: '(1) 1-1' });
    expect((await callRow(test, byFormattedPhone.call_id)).customer_id).toBe(customer_id);
    const stranger = await tenant.join(link, { name: 'Maria' });
    expect((await callRow(test, byMail.call_id)).customer_id).toBe(customer_id);
    expect((await callRow(test, byPhone.call_id)).customer_id).toBe(customer_id);
    expect((await callRow(test, stranger.call_id)).customer_id).not.toBe(customer_id);
    expect(await stored()).toEqual(before);
    expect((await callRow(test, byMail.call_id)).customer_name).toBe('Mallory');
  });

  it("is the link's customer, whatever contact data is entered", async () => {
    const known = await callRow(test, (await tenant.join(link, { name: 'Rui' })).call_id);
    const own = await tenant.link(department.id, { customer_id: known.customer_id });
    const joined = await tenant.join(own, { name: 'Rui', email: 'maria@example.com' });
    expect((await callRow(test, joined.call_id)).customer_id).toBe(known.customer_id);
  });
});
