import { randomUUID } from 'node:crypto';
import { cnpj } from 'cpf-cnpj-validator';
import type { Json } from './support/api';
import { expectStatus, login, type Member, PASSWORD } from './support/builders';
import { expectFailure } from './support/failures';
import { startTestApp, type TestApp } from './support/test-app';

const TOKEN = 'whsec-agreed-with-the-gateway';
const MONTH_AT_LEAST_MS = 28 * 86_400_000;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { ASAAS_WEBHOOK_TOKEN: TOKEN } });
});

afterAll(() => test.close());

interface Pending {
  id: string;
  owner: Member;
}

async function pendingTenant(plan = 'basic'): Promise<Pending> {
  const email = `${randomUUID()}@example.com`;
  const answer = await test.api.post('/api/signup/register', {
    company_name: 'Paying',
    document: cnpj.generate(),
    document_type: 'cnpj',
    admin_name: 'Paula Payer',
    admin_email: email,
    admin_password: PASSWORD,
    plan,
  });
  expectStatus(answer, 201);
  const { id, slug } = answer.body.data.tenant;
  return { id, owner: await login(test, slug, email) };
}

/** As the gateway sends it; its ids hold an ampersand. */
const notification = (tenant: string | null, input: Json = {}, payment: Json = {}) => ({
  id: `evt_${randomUUID()}&${Date.now()}`,
  event: 'PAYMENT_CONFIRMED',
  dateCreated: '2026-06-12 16:45:03',
  payment: { object: 'payment', id: `pay_${randomUUID()}`, externalReference: tenant, value: 99, ...payment },
  ...input,
});

const deliver = (body: unknown, headers: Record<string, string> = { 'asaas-access-token': TOKEN }) =>
  test.api.post('/api/webhooks/asaas', body, { headers });

async function subscription(tenantId: string): Promise<Json> {
  const { rows } = await test.db.query(
    'SELECT plan, status, current_period_start, current_period_end FROM subscriptions WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0];
}

async function stored(eventId: string): Promise<Json[]> {
  const { rows } = await test.db.query('SELECT * FROM gateway_events WHERE event_id = $1', [eventId]);
  return rows;
}

const createDepartment = (owner: Member) => owner.api.post('/api/v1/departments', { name: 'Sales' });

describe('a payment notification', () => {
  it.each(['PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED'])('%s puts the plan in force', async (event) => {
    const { id, owner } = await pendingTenant();
    expect(await subscription(id)).toMatchObject({ status: 'pending', current_period_start: null });
    expectStatus(await createDepartment(owner), 201);
    expectFailure(await createDepartment(owner), 403, { code: 'plan_limit' });

    const body = notification(id, { event });
    const answer = await deliver(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { received: true } });

    const after = await subscription(id);
    expect(after).toMatchObject({ plan: 'basic', status: 'active' });
    const length = after.current_period_end - after.current_period_start;
    expect(length).toBeGreaterThanOrEqual(MONTH_AT_LEAST_MS);
    expectStatus(await createDepartment(owner), 201);
    expect(await stored(body.id)).toEqual([
      expect.objectContaining({ gateway: 'asaas', event, tenant_id: id, payload: body }),
    ]);
  });

  it('takes effect once, however often it is delivered', async () => {
    const { id } = await pendingTenant();
    const body = notification(id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const first = await subscription(id);
    test.clock.advance(3600);
    expect((await deliver(body)).body).toEqual({ data: { received: true } });
    expect(await subscription(id)).toEqual(first);
    expect(await stored(body.id)).toHaveLength(1);
  });

  it('RECEIVED after CONFIRMED of one charge starts no new period; the next charge does', async () => {
    const { id } = await pendingTenant();
    const charge = { id: `pay_${randomUUID()}` };
    await deliver(notification(id, { event: 'PAYMENT_CONFIRMED' }, charge));
    const confirmed = await subscription(id);
    test.clock.advance(86_400);
    expectStatus(await deliver(notification(id, { event: 'PAYMENT_RECEIVED' }, charge)), 200);
    expect(await subscription(id)).toEqual(confirmed);
    expectStatus(await deliver(notification(id, { event: 'PAYMENT_RECEIVED' })), 200);
    const next = await subscription(id);
    expect(next.current_period_start - confirmed.current_period_start).toBeGreaterThanOrEqual(86_400_000);
  });

  it('touches no other tenant', async () => {
    const [one, other] = [await pendingTenant(), await pendingTenant()];
    await deliver(notification(one.id));
    expect(await subscription(other.id)).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['of an unknown tenant', (): Json => notification(randomUUID())],
    ['whose reference is no uuid', (): Json => notification('order 17')],
    ['without a payment', (): Json => ({ id: `evt_${randomUUID()}`, event: 'PAYMENT_CONFIRMED' })],
  ])('%s is recorded and answered 200', async (_what, make) => {
    const body = make();
    expect((await deliver(body)).body).toEqual({ data: { received: true } });
    expect(await stored(body.id)).toEqual([expect.objectContaining({ tenant_id: null, payload: body })]);
  });

  it('of an unknown kind is recorded and changes nothing', async () => {
    const { id } = await pendingTenant();
    const body = notification(id, { event: 'PAYMENT_SPLIT_CANCELLED' });
    expectStatus(await deliver(body), 200);
    expect(await stored(body.id)).toHaveLength(1);
    expect(await subscription(id)).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['a wrong token', { 'asaas-access-token': 'guessed' }],
    ['an empty token', { 'asaas-access-token': '' }],
    ['no token', {}],
  ])('with %s is 401 and changes nothing', async (_what, headers) => {
    const { id } = await pendingTenant();
    const body = notification(id);
    expectFailure(await deliver(body, headers), 401, {
      code: 'invalid_gateway_token',
    });
    expect(await stored(body.id)).toEqual([]);
    expect(await subscription(id)).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['no object', '[]'],
    ['no id', { event: 'PAYMENT_CONFIRMED' }],
    ['no event', { id: 'evt_1' }],
    ['an id of the wrong type', { id: 7, event: 'PAYMENT_CONFIRMED' }],
    ['NUL in it', { id: 'evt_\0', event: 'PAYMENT_CONFIRMED' }],
    ['NUL deep in it', { id: 'evt_deep', event: 'X', payment: { a: [{ b: '\0' }] } }],
  ])('with %s is 422', async (_what, body) => {
    expectFailure(await deliver(body), 422, { code: 'validation_failed' });
  });

  it('to an unknown gateway is 404', async () => {
    const answer = await test.api.post('/api/webhooks/paypal', notification(null), {
      headers: { 'asaas-access-token': TOKEN },
    });
    expectFailure(answer, 404, { code: 'not_found' });
  });
});

it('without ASAAS_WEBHOOK_TOKEN the endpoint is 404, whatever is sent', async () => {
  const closed = await startTestApp();
  try {
    for (const headers of [{}, { 'asaas-access-token': '' }, { 'asaas-access-token': 'undefined' }]) {
      const answer = await closed.api.post('/api/webhooks/asaas', notification(null), {
        headers: headers as Record<string, string>,
      });
      expectFailure(answer, 404, { code: 'not_found' });
    }
  } finally {
    await closed.close();
  }
});
