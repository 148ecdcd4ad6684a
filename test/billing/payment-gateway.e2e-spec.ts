import { documentedFetch } from '../support/http/documented-fetch';
import { randomUUID } from 'node:crypto';
import type { Answer, Json } from '../support/http/api';
import { expectStatus } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import {
  waitUntilApplied,
  deliver,
  expectAccepted,
  notification,
  sendNotification,
  applyNotification,
  registerPendingTenant,
  insertPendingTenants,
  SUCCESS_BODY,
  subscriptionState,
  startGatewayApp,
  storedEvents,
  PAYMENT_WEBHOOK_PATH,
} from '../support/peers/payment-gateway';
import { GATEWAY_TOKEN } from '../support/authorisation/tenant-data';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;

beforeAll(async () => {
  test = await startGatewayApp();
});

afterAll(() => test.close());

const createPendingTenant = async () => (await insertPendingTenants(test, 1))[0] ?? '';

describe('a payment notification', () => {
  it.each(['PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED'])('%s activates the plan', async (event) => {
    const { id, owner } = await registerPendingTenant(test);
    const createDepartment = () => owner.api.post('/api/v1/departments', { name: 'Sales' });
    expectStatus(await createDepartment(), 201);
    expectFailure(await createDepartment(), 403, { code: 'plan_limit' });

    const body = await applyNotification(test, id, event);

    expect(await subscriptionState(test, id)).toEqual({
      status: 'active',
      current_period_start: new Date('2026-06-12T19:45:03Z'),
      current_period_end: new Date('2026-07-12T19:45:03Z'),
      grace_deadline: null,
    });
    expectStatus(await createDepartment(), 201);
    expect(await storedEvents(test, body.id)).toEqual([
      expect.objectContaining({
        gateway: 'asaas',
        event,
        kind: 'paid',
        tenant_id: id,
        payment_id: body.payment.id,
        occurred_at: new Date('2026-06-12T19:45:03Z'),
        payload: body,
      }),
    ]);
  });

  it('names the tenant by its slug as well, in upper or lower case', async () => {
    for (const spelling of [(slug: string) => slug, (slug: string) => slug.toUpperCase()]) {
      const { id, slug } = await registerPendingTenant(test);
      const body = await applyNotification(test, spelling(slug), 'PAYMENT_CONFIRMED');
      expect(await subscriptionState(test, id)).toMatchObject({ status: 'active' });
      expect(await storedEvents(test, body.id)).toEqual([expect.objectContaining({ tenant_id: id })]);
    }
  });

  it("does not take another tenant's id for a slug", async () => {
    const [payer = '', impostor = ''] = await insertPendingTenants(test, 2);
    await test.db.query('UPDATE tenants SET slug = $1 WHERE id = $2', [payer, impostor]);
    await applyNotification(test, payer, 'PAYMENT_CONFIRMED');
    expect(await subscriptionState(test, payer)).toMatchObject({ status: 'active' });
    expect(await subscriptionState(test, impostor)).toMatchObject({ status: 'pending' });
  });

  it('is answered with exactly the body that the gateway expects', async () => {
    const response = await documentedFetch(test.url + PAYMENT_WEBHOOK_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'asaas-access-token': GATEWAY_TOKEN },
      body: JSON.stringify(notification(await createPendingTenant(), 'PAYMENT_CONFIRMED')),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.text()).toBe(SUCCESS_BODY);
  });

  it('is visible in the billing plan without further requests, even in a burst of 40 tenants', async () => {
    const { id, owner } = await registerPendingTenant(test);
    const others = await insertPendingTenants(test, 39);
    const getPlan = async () => (await owner.api.get('/api/v1/billing/plan')).body.data;
    expect(await getPlan()).toMatchObject({ plan: 'basic', status: 'pending', max_users: 2 });
    await Promise.all([...others, id].map((tenant) => sendNotification(test, tenant, 'PAYMENT_CONFIRMED')));
    await until(
      async () => (await getPlan()).max_users === 10,
      () => 'the plan is not in force yet',
    );
    await waitUntilApplied(test);
    for (const other of others)
      expect(await subscriptionState(test, other)).toMatchObject({ status: 'active' });
  });

  it('takes effect once, even if it is delivered many times at once', async () => {
    const tenant = await createPendingTenant();
    const body = notification(tenant, 'PAYMENT_CONFIRMED');
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(test, body)));
    answers.forEach(expectAccepted);
    await waitUntilApplied(test);
    const first = await subscriptionState(test, tenant);
    test.clock.advance(3600);
    // A known id is ignored, even if other fields changed.
    expectAccepted(await deliver(test, { ...body, event: 'PAYMENT_REFUNDED' }));
    await waitUntilApplied(test);
    expect(await subscriptionState(test, tenant)).toEqual(first);
    expect(await storedEvents(test, body.id)).toHaveLength(1);
    const { rows: updateEvents } = await test.db.query(
      `SELECT FROM domain_events WHERE tenant_id = $1 AND type = 'subscription.updated'`,
      [tenant],
    );
    expect(updateEvents).toHaveLength(1);
  });

  it('is identified by its whole, opaque id', async () => {
    const tenant = await createPendingTenant();
    const ids = ['evt_1&1', 'evt_1&2', 'evt_1', 'EVT_1&1', 'evt_1&1 ', 'evt_1%261', "evt_'; --"];
    for (const id of ids) {
      await sendNotification(test, tenant, 'PAYMENT_CREATED', { body: { id } });
      expect(await storedEvents(test, id)).toEqual([expect.objectContaining({ event_id: id })]);
    }
  });

  it('has its value stored without a check', async () => {
    const values = [0.01, -99, '99,00', null, 1e300, { amount: 99 }];
    for (const [index, tenant] of (await insertPendingTenants(test, values.length)).entries()) {
      const value = values[index];
      const { id } = await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { payment: { value } });
      expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'active' });
      expect((await storedEvents(test, id))[0].payload.payment.value).toEqual(value);
    }
  });

  it('does not affect other tenants', async () => {
    const [one = '', other = ''] = await insertPendingTenants(test, 2);
    await applyNotification(test, one, 'PAYMENT_CONFIRMED');
    expect(await subscriptionState(test, one)).toMatchObject({ status: 'active' });
    expect(await subscriptionState(test, other)).toMatchObject({ status: 'pending' });
  });

  it.each<[string, Json]>([
    ['missing', undefined],
    ['a number', 1_780_000_000],
    ['not a date', 'yesterday'],
    ['an impossible date', '2026-02-30 12:00:00'],
    ['a time without a date', '21:45:03'],
    ['in the year 0000', '0000-01-01 00:00:00'],
    ['in the year 9999', '9999-12-31 23:59:59'],
  ])('whose dateCreated is %s has the time of its arrival', async (_what, dateCreated) => {
    const tenant = await createPendingTenant();
    const before = test.clock.now();
    const { id } = await applyNotification(test, tenant, 'PAYMENT_CONFIRMED', { body: { dateCreated } });
    const [{ occurred_at, received_at }] = await storedEvents(test, id);
    expect(occurred_at).toEqual(received_at);
    expect(occurred_at.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(await subscriptionState(test, tenant)).toMatchObject({
      status: 'active',
      current_period_start: occurred_at,
    });
  });
});

describe('a notification is stored without effect', () => {
  it.each<[string, string | null]>([
    ['has an unknown tenant', randomUUID()],
    ['has a reference that is not a UUID', 'order 17'],
    ['has no reference', null],
  ])('if it %s', async (_what, reference) => {
    const body = await sendNotification(test, reference, 'PAYMENT_CONFIRMED');
    expect(await storedEvents(test, body.id)).toEqual([
      expect.objectContaining({ tenant_id: null, payload: body }),
    ]);
  });

  it.each([
    ['an unknown kind', 'PAYMENT_SPLIT_CANCELLED'],
    ['a known kind in another case', 'payment_confirmed'],
    ['the name of an Object.prototype member', 'constructor'],
    ['a kind of 5,000 characters', 'x'.repeat(5000)],
  ])('if its event is %s', async (_what, event) => {
    const tenant = await createPendingTenant();
    const { id } = await applyNotification(test, tenant, event);
    expect(await storedEvents(test, id)).toEqual([
      expect.objectContaining({ event, kind: 'other', tenant_id: tenant }),
    ]);
    expect(await subscriptionState(test, tenant)).toMatchObject({
      status: 'pending',
      current_period_start: null,
    });
  });
});

const send = (address: string, headers: Record<string, string>) =>
  test.api.post(PAYMENT_WEBHOOK_PATH, '[]', { headers: { 'x-forwarded-for': address, ...headers } });

describe('the rate limit', () => {
  it('allows 600 wrong tokens a minute for an address and does not count right ones', async () => {
    const address = '198.51.100.7';
    const right = { 'asaas-access-token': GATEWAY_TOKEN };
    const statuses = new Map<number, number>();
    const count = ({ status }: Answer) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
    for (let batch = 0; batch < 26; batch++) {
      const some = Array.from({ length: 50 }, (_, n) => send(address, n % 2 ? right : {}));
      (await Promise.all(some)).forEach(count);
    }
    // Valid deliveries are never limited, even if wrong tokens come from the same address.
    expect(Object.fromEntries(statuses)).toEqual({ 200: 650, 401: 600, 429: 50 });
    const refused = await send(address, {});
    expectFailure(refused, 429, { code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expectFailure(await send('198.51.100.8', {}), 401, { code: 'invalid_gateway_token' });
    // The rate limit of public routes is separate.
    const document = await test.api.post(
      '/api/signup/validate-document',
      { document: '00.000.000/0001-91', document_type: 'cnpj' },
      { headers: { 'x-forwarded-for': address } },
    );
    expectStatus(document, 200);
    expect(document.headers.get('ratelimit-policy')).toMatch(/^"public"/);
  });
});

it('100 deliveries, ten at a time, are answered within the 10 s that the gateway waits', async () => {
  const tenants = await insertPendingTenants(test, 10);
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const deliveries = tenants.map(async (tenant) => {
      const start = performance.now();
      await sendNotification(test, tenant, 'PAYMENT_CONFIRMED');
      times.push(performance.now() - start);
    });
    await Promise.all(deliveries);
  }
  expect(times).toHaveLength(100);
  expect(Math.max(...times)).toBeLessThan(10_000);
  await waitUntilApplied(test);
});

it('the endpoint is always 404 without ASAAS_WEBHOOK_TOKEN', async () => {
  const closed = await startTestApp();
  try {
    for (const token of [undefined, '', 'undefined', GATEWAY_TOKEN]) {
      const headers: Record<string, string> = token === undefined ? {} : { 'asaas-access-token': token };
      expectFailure(await closed.api.post(PAYMENT_WEBHOOK_PATH, notification(null, 'X'), { headers }), 404, {
        code: 'not_found',
      });
    }
    const { rows: storedGatewayEvents } = await closed.db.query('SELECT FROM gateway_events');
    expect(storedGatewayEvents).toEqual([]);
  } finally {
    await closed.close();
  }
});
