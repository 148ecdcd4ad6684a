import type { Answer, Json } from '../support/http/api';
import { TestTenant } from '../support/builders';
import { callRow, oneTo, polledPositions } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const inParallel = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const withStatus = (responses: Answer[], status: number) =>
  responses.filter((response) => response.status === status);

describe('customers who join at the same time', () => {
  let test: TestApp;
  let tenant: TestTenant;

  const join = (link: Json, body: object, headers?: Record<string, string>) =>
    test.api.post(`/api/v1/call/${link.token}/join`, body, { headers });

  const callsOf = async (department: Json): Promise<Json[]> => {
    const { rows } = await test.db.query('SELECT * FROM calls WHERE department_id = $1', [department.id]);
    return rows;
  };

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  afterAll(() => test.close());

  it('fill exactly the 20 places of a queue when 100 of them join', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 20 });
    const links = [link, ...(await inParallel(9, () => tenant.link(department.id)))];

    const responses = await inParallel(100, (index) =>
      join(links[index % 10], { name: `Customer ${index}` }),
    );

    const positions = withStatus(responses, 200).map((response) => response.body.data.position);
    expect(positions.sort((one, other) => one - other)).toEqual(oneTo(20));
    expect(withStatus(responses, 422).map((response) => response.body.errors.code)).toEqual(
      Array(80).fill('queue_full'),
    );
    expect(await callsOf(department)).toHaveLength(20);
    expect(await polledPositions(test, department.id)).toEqual(oneTo(20));
    const { rows } = await test.db.query(
      'SELECT sum(use_count)::int AS uses FROM access_links WHERE department_id = $1',
      [department.id],
    );
    expect(rows).toEqual([{ uses: 20 }]);
  });

  it('have the positions 1…n after parallel joins, cancellations and assignments', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 500 });
    const agent = await tenant.member('attendant', [department.id]);
    const waiting = await inParallel(24, () => tenant.join(link));

    await inParallel(36, async (index) => {
      const entry = waiting[Math.floor(index / 3) * 2];
      if (index % 3 === 0) {
        const token = entry.websocket_token;
        await test.api.post(`/api/v1/call/cancel/${entry.call_id}`, undefined, { token });
      } else if (index % 3 === 1) {
        const next = waiting[Math.floor(index / 3) * 2 + 1];
        if (index % 2) await agent.api.post(`/api/v1/calls/${next.call_id}/assign`);
      } else {
        await tenant.join(link);
      }
    });

    const stillQueued = (await callsOf(department)).filter((call) => call.status === 'queued');
    expect(stillQueued).toHaveLength(24 - 12 - 6 + 12);
    expect(await polledPositions(test, department.id)).toEqual(oneTo(stillQueued.length));
    // The order of joining is kept.
    const { rows } = await test.db.query(
      `SELECT id FROM calls WHERE department_id = $1 AND status = 'queued' ORDER BY inserted_at, queue_number`,
      [department.id],
    );
    const first = await test.api.get(`/api/v1/call/status/${rows[0].id}`);
    expect(first.body.data).toMatchObject({ status: 'queued', position: 1 });
  });

  it('can use a single-use link only once', async () => {
    const { department } = await tenant.queue();
    const link = await tenant.link(department.id, { max_uses: 1 });

    const responses = await inParallel(2, (index) => join(link, { name: `Customer ${index}` }));

    expect(responses.map((response) => response.status).sort((one, other) => one - other)).toEqual([
      200, 404,
    ]);
    expect(withStatus(responses, 404)[0]?.body.errors.code).toBe('link_used');
    expect(await callsOf(department)).toHaveLength(1);
  });

  it('create one call with one Idempotency-Key, even through a single-use link', async () => {
    const { department } = await tenant.queue();
    const link = await tenant.link(department.id, { max_uses: 1 });
    const headers = { 'Idempotency-Key': 'a tap and another' };

    const responses = await inParallel(4, () => join(link, { name: 'Eva' }, headers));

    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map((response) => response.body.data.call_id)).size).toBe(1);
    expect(await callsOf(department)).toHaveLength(1);
  });

  it('become one customer if they have one e-mail address, across departments and regardless of case', async () => {
    const { link } = await tenant.queue();
    const { link: otherLink } = await tenant.queue();

    const responses = await inParallel(10, (index) =>
      join(index % 2 ? link : otherLink, {
        name: `Eva ${index}`,
        email: index % 3 ? 'eva@example.com' : 'Eva@Example.com',
        phone: '+55 11 4000',
      }),
    );

    const customers = new Set<string>();
    for (const { body } of responses) customers.add((await callRow(test, body.data.call_id)).customer_id);
    expect([...customers]).toEqual([expect.any(String)]);
    const { rows } = await test.db.query(
      `SELECT count(*)::int FROM customers WHERE tenant_id = $1 AND lower(email) = 'eva@example.com'`,
      [tenant.id],
    );
    expect(rows[0].count).toBe(1);
  });
});
