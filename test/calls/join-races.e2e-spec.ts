import type { Answer, Json } from '../support/http/api';
import { TestTenant } from '../support/builders';
import { callRow, oneTo, polledPositions } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

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

  it('of a hundred, twenty get the twenty places', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 20 });
    const links = [link, ...(await times(9, () => tenant.link(department.id)))];

    const answers = await times(100, (index) => join(links[index % 10], { name: `Customer ${index}` }));

    const entered = withStatus(answers, 200).map((answer) => answer.body.data.position);
    expect(entered.sort((one, other) => one - other)).toEqual(oneTo(20));
    expect(withStatus(answers, 422).map((answer) => answer.body.errors.code)).toEqual(
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

  it('always wait at 1…n, however joins, cancellations and assignments mix', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 500 });
    const agent = await tenant.member('attendant', [department.id]);
    const waiting = await times(24, () => tenant.join(link));

    await times(36, async (index) => {
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

    const still = (await callsOf(department)).filter((call) => call.status === 'queued');
    expect(still).toHaveLength(24 - 12 - 6 + 12);
    expect(await polledPositions(test, department.id)).toEqual(oneTo(still.length));
    // Who came first is still before those who came later.
    const { rows } = await test.db.query(
      `SELECT id FROM calls WHERE department_id = $1 AND status = 'queued' ORDER BY inserted_at, queue_number`,
      [department.id],
    );
    const first = await test.api.get(`/api/v1/call/status/${rows[0].id}`);
    expect(first.body.data).toMatchObject({ status: 'queued', position: 1 });
  });

  it('through a link for one: one enters', async () => {
    const { department } = await tenant.queue();
    const link = await tenant.link(department.id, { max_uses: 1 });

    const answers = await times(2, (index) => join(link, { name: `Customer ${index}` }));

    expect(answers.map((answer) => answer.status).sort((one, other) => one - other)).toEqual([200, 404]);
    expect(withStatus(answers, 404)[0]?.body.errors.code).toBe('invalid_link');
    expect(await callsOf(department)).toHaveLength(1);
  });

  it('with one Idempotency-Key make one call, through a link for one, too', async () => {
    const { department } = await tenant.queue();
    const link = await tenant.link(department.id, { max_uses: 1 });
    const headers = { 'Idempotency-Key': 'a tap and another' };

    const answers = await times(4, () => join(link, { name: 'Eva' }, headers));

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.data.call_id)).size).toBe(1);
    expect(await callsOf(department)).toHaveLength(1);
  });

  it('with one e-mail make one customer, over departments and whatever its case', async () => {
    const { link } = await tenant.queue();
    const { link: elsewhere } = await tenant.queue();

    const answers = await times(10, (index) =>
      join(index % 2 ? link : elsewhere, {
        name: `Eva ${index}`,
        email: index % 3 ? 'eva@example.com' : 'Eva@Example.com',
        phone: '+55 11 4000',
      }),
    );

    const customers = new Set<string>();
    for (const { body } of answers) customers.add((await callRow(test, body.data.call_id)).customer_id);
    expect([...customers]).toEqual([expect.any(String)]);
    const { rows } = await test.db.query(
      `SELECT count(*)::int FROM customers WHERE tenant_id = $1 AND lower(email) = 'eva@example.com'`,
      [tenant.id],
    );
    expect(rows[0].count).toBe(1);
  });
});
