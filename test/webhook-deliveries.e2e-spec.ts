import { Client } from 'pg';
import { DeliveryQueue } from '../src/webhooks/delivery-queue';
import { Dispatcher } from '../src/webhooks/dispatcher';
import { OldDeliveries } from '../src/webhooks/old-deliveries';
import type { Json } from './support/api';
import { expectStatus, TestTenant } from './support/builders';
import { answer, held, Receiver, verified } from './support/receiver';
import { startTestApp, type TestApp } from './support/test-app';
import { until } from './support/until';
import { allTried, deliveriesOf, hook, settled } from './support/webhooks';

const MINUTE = 60;
const HOUR = 3600;

describe('deliveries of webhooks', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let receiver: Receiver;
  /** For looking on while the other connection holds a lock. */
  let watching: Client;
  let webhook: Json;

  beforeAll(async () => {
    test = await startTestApp();
    watching = new Client({ connectionString: test.databaseUrl });
    await watching.connect();
  });

  beforeEach(async () => {
    tenant = await TestTenant.register(test);
    receiver = await Receiver.start();
    webhook = await hook(tenant, receiver.url);
  });

  afterEach(() => receiver.stop());

  afterAll(async () => {
    await watching.end();
    await test.close();
  });

  /** Something that the webhook is told of. */
  const happen = () => tenant.department();

  /** Makes what is due by now. */
  const dispatch = () => test.get(Dispatcher).dispatch();

  const attemptsOf = (count: number) => settled(tenant, webhook.id, { attempts: count });

  it('tell what happened, signed, at once', async () => {
    const department = await happen();
    const [received] = await receiver.has(1);
    const payload = verified(received, webhook.secret);
    expect(payload).toMatchObject({
      type: 'department.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: { id: department.id, name: department.name },
    });
    expect(received?.headers).toMatchObject({ 'content-type': 'application/json' });
    const delivery = await settled(tenant, webhook.id, { status: 'delivered' });
    expect(delivery).toMatchObject({
      id: received?.id,
      event: 'department.created',
      attempts: 1,
      response_status: 200,
      response_body: 'ok',
      error: null,
      payload,
      next_attempt_at: null,
    });
    expect(() => verified(received, `whsec_${Buffer.from('another').toString('base64')}`)).toThrow();
  });

  it('go to those that want the event, and to no other company’s', async () => {
    const stranger = await TestTenant.register(test);
    const [deaf, inactive, theirs] = [
      await hook(tenant, receiver.url, ['call.rated']),
      await hook(tenant, receiver.url),
      await hook(stranger, receiver.url),
    ];
    expectStatus(await tenant.owner.api.put(`/api/v1/webhooks/${inactive.id}`, { active: false }), 200);
    await happen();
    await settled(tenant, webhook.id, { status: 'delivered' });
    for (const { id } of [deaf, inactive]) expect(await deliveriesOf(tenant, id)).toEqual([]);
    expect(await deliveriesOf(stranger, theirs.id)).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const rotated = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`);
    expectStatus(rotated, 200);
    const { secret } = rotated.body.data;
    expect(secret).not.toBe(webhook.secret);
    await happen();
    const [first] = await receiver.has(1);
    expect(verified(first, secret)).toEqual(verified(first, webhook.secret));
    // Changed once more before anybody could take the new one over: all three are good.
    const twice = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`);
    await happen();
    const third = (await receiver.has(2))[1];
    for (const good of [webhook.secret, secret, twice.body.data.secret]) {
      expect(verified(third, good)).toBeDefined();
    }
    await test.db.query(
      `UPDATE webhook_secrets SET expires_at = expires_at - interval '1 day' WHERE webhook_id = $1`,
      [webhook.id],
    );
    await happen();
    const last = (await receiver.has(3))[2];
    expect(verified(last, twice.body.data.secret)).toBeDefined();
    for (const old of [webhook.secret, secret]) expect(() => verified(last, old)).toThrow();
  });

  it('do not exist if the change is undone', async () => {
    const { department } = await tenant.queue();
    await settled(tenant, webhook.id, { status: 'delivered' });
    const answered = await tenant.owner.api.post('/api/v1/departments', {
      department: { name: 'Twice', identifier: department.identifier },
    });
    expect(answered.status).toBe(422);
    expect(await deliveriesOf(tenant, webhook.id)).toHaveLength(1);
  });

  it('are tried for 17 and a half hours, under one id, and have failed then', async () => {
    receiver.treatment = answer(500, 'broken');
    await happen();
    for (const [tries, pause] of [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR].entries()) {
      const delivery = await attemptsOf(tries + 1);
      expect(delivery).toMatchObject({ status: 'pending', response_status: 500, response_body: 'broken' });
      const seconds = (Date.parse(delivery.next_attempt_at) - test.clock.now().getTime()) / 1000;
      expect(seconds).toBeGreaterThan(pause * 0.99 - 3);
      expect(seconds).toBeLessThanOrEqual(pause * 1.1);
      test.clock.advance(pause * 1.1 + 1);
      await dispatch();
    }
    expect(await attemptsOf(7)).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    const stamps = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(stamps).size).toBe(7);
    const { data } = (
      await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}/deliveries/${receiver.received[0]?.id}`)
    ).body;
    expect(data.tries.map(({ number, response_status }: Json) => [number, response_status])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((number) => [number, 500]),
    );
  });

  it('reach a receiver that was down for an hour', async () => {
    const { port } = receiver;
    await receiver.stop();
    const department = await happen();
    expect(await attemptsOf(1)).toMatchObject({ error: 'connection refused', response_status: null });
    const told = (await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}`)).body.data;
    expect(told.failing_since).not.toBeNull();
    let tries = 1;
    for (let minutes = 0; minutes < 60; minutes += 6) {
      test.clock.advance(6 * MINUTE);
      await dispatch();
      const { rows } = await test.db.query('SELECT FROM webhook_deliveries WHERE claimed_until > $1', [
        test.clock.now(),
      ]);
      if (rows.length > 0) await attemptsOf(++tries);
    }
    receiver = await Receiver.start(port);
    test.clock.advance(2.2 * HOUR);
    await dispatch();
    const [received] = await receiver.has(1);
    expect(received?.payload.data.id).toBe(department.id);
    await settled(tenant, webhook.id, { status: 'delivered' });
    const mended = (await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}`)).body.data;
    expect(mended).toMatchObject({ failing_since: null, active: true });
  });

  it.each([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }],
    ['not modified', 304, {}],
    ['a refusal', 400, {}],
    ['an error', 503, {}],
  ])('have failed this time with %s', async (_what, status, headers) => {
    receiver.treatment = answer(status, '', headers);
    await happen();
    expect(await attemptsOf(1)).toMatchObject({ status: 'pending', response_status: status });
  });

  it.each([
    ['in seconds', () => '3600'],
    ['as a date', () => new Date(test.clock.now().getTime() + HOUR * 1000).toUTCString()],
  ])('wait for as long as Retry-After says, %s', async (_how, header) => {
    receiver.treatment = answer(429, '', { 'retry-after': header() });
    await happen();
    const { next_attempt_at } = await attemptsOf(1);
    const seconds = (Date.parse(next_attempt_at) - test.clock.now().getTime()) / 1000;
    expect(Math.abs(seconds - HOUR)).toBeLessThan(10);
  });

  it('survive rubbish', async () => {
    receiver.treatment = (response) => {
      response.socket?.end('\0\0\0 this is no HTTP \r\n\r\n');
    };
    await happen();
    const failed = await attemptsOf(1);
    expect(failed).toMatchObject({ status: 'pending', response_status: null });
    expect(failed.error).toEqual(expect.any(String));
    receiver.treatment = answer(200, `\0\u{1F600}${'x'.repeat(100_000)}`);
    test.clock.advance(10);
    await dispatch();
    const { response_body } = await settled(tenant, webhook.id, { status: 'delivered' });
    expect(Buffer.byteLength(response_body)).toBeLessThanOrEqual(1024);
    expect(response_body).toMatch(/^\u{1F600}x+$/u);
  });

  it('that another instance died with are made after 20 seconds', async () => {
    receiver.treatment = answer(500);
    await happen();
    await attemptsOf(1);
    test.clock.advance(10);
    // As an instance leaves it that was killed in the middle of a try.
    const [claimed] = await test.get(DeliveryQueue).claim(webhook.id);
    expect(claimed?.body).toContain('department.created');
    receiver.treatment = answer(200);
    await dispatch();
    expect(receiver.received).toHaveLength(1);
    test.clock.advance(21);
    await dispatch();
    await settled(tenant, webhook.id, { status: 'delivered', attempts: 3 });
    const { data } = (
      await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}/deliveries/${receiver.received[0]?.id}`)
    ).body;
    expect(data.tries).toMatchObject([
      { number: 1, response_status: 500 },
      { number: 2, response_status: null, error: 'no result is known', duration_ms: null },
      { number: 3, response_status: 200, error: null },
    ]);
  });

  it('count as made when the answer comes after somebody else has taken them over', async () => {
    receiver.treatment = answer(500);
    await happen();
    await attemptsOf(1);
    test.clock.advance(10);
    const queue = test.get(DeliveryQueue);
    const [slow] = await queue.claim(webhook.id);
    test.clock.advance(21);
    const [quick] = await queue.claim(webhook.id);
    const outcome = { response_body: null, retry_after: null, error: null, duration_ms: 1 };
    await queue.finish(slow, { ...outcome, response_status: 200 });
    await queue.finish(quick, { ...outcome, response_status: 500 });
    expect((await deliveriesOf(tenant, webhook.id))[0]).toMatchObject({ status: 'delivered', attempts: 3 });
  });

  it('are made again when asked for: one, or all of a time range, under their old ids', async () => {
    const path = `/api/v1/webhooks/${webhook.id}`;
    receiver.treatment = answer(500);
    const from = test.clock.now().toISOString();
    for (let count = 0; count < 3; count++) await happen();
    await allTried(tenant, webhook.id, 1);
    await test.db.query(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, failures = 7 WHERE webhook_id = $1`,
      [webhook.id],
    );
    const ids = receiver.received.map(({ id }) => id).sort();
    receiver.treatment = answer(200);
    const one = await tenant.owner.api.post(`${path}/deliveries/${ids[0]}/redeliver`);
    expectStatus(one, 202);
    await until(async () => (await deliveriesOf(tenant, webhook.id, '?status=delivered')).length === 1);
    expect(receiver.received.at(-1)?.id).toBe(ids[0]);

    const failed = await tenant.owner.api.post(`${path}/replay`, { from, status: 'failed' });
    expect([failed.status, failed.body.data]).toEqual([202, { count: 2 }]);
    await until(async () => (await deliveriesOf(tenant, webhook.id, '?status=delivered')).length === 3);
    const all = await tenant.owner.api.post(`${path}/replay`, { from, to: test.clock.now().toISOString() });
    expect(all.body.data).toEqual({ count: 3 });
    await receiver.has(3 + 1 + 2 + 3);
    expect(
      receiver.received
        .slice(-3)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    const none = await tenant.owner.api.post(`${path}/replay`, { from: '2020-01-01', to: '2020-01-02' });
    expect(none.body.data).toEqual({ count: 0 });
    const backwards = await tenant.owner.api.post(`${path}/replay`, { from: '2020-01-02', to: '2020-01-01' });
    expect(backwards.status).toBe(422);
  });

  it('of a large range are all made again, though somebody else takes some of them meanwhile', async () => {
    const never = held();
    receiver.treatment = never.treatment;
    await test.db.query(
      `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, inserted_at)
       SELECT $1, $2, 'department.created', '{}', 'failed', $3::timestamptz + make_interval(secs => n / 1000.0)
       FROM generate_series(1, 4500) AS n`,
      [tenant.id, webhook.id, '2026-01-01T00:00:00Z'],
    );
    await test.db.query('BEGIN');
    await test.db.query(
      `UPDATE webhook_deliveries SET status = 'delivered' WHERE id = (
         SELECT id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY inserted_at OFFSET 10 LIMIT 1)`,
      [webhook.id],
    );
    const range = { from: '2026-01-01', to: '2026-01-02', status: 'failed' };
    const replaying = tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/replay`, range);
    await until(async () => {
      const { rows } = await watching.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await test.db.query('COMMIT');
    expect((await replaying).body.data).toEqual({ count: 4499 });
    const { rows } = await test.db.query(
      `SELECT status, count(*)::int AS count, max(next_attempt_at) - min(next_attempt_at) > interval '3 minutes' AS paced
       FROM webhook_deliveries WHERE webhook_id = $1 GROUP BY status ORDER BY status`,
      [webhook.id],
    );
    expect(rows).toEqual([
      { status: 'delivered', count: 1, paced: null },
      { status: 'pending', count: 4499, paced: true },
    ]);
    expectStatus(await tenant.owner.api.delete(`/api/v1/webhooks/${webhook.id}`), 204);
    never.release();
  });

  it('are kept for 30 days', async () => {
    await happen();
    await settled(tenant, webhook.id, { status: 'delivered' });
    const purge = () => test.get(OldDeliveries).purge();
    await test.db.query(
      `UPDATE webhook_deliveries SET inserted_at = inserted_at - interval '29 days' WHERE webhook_id = $1`,
      [webhook.id],
    );
    await purge();
    expect(await deliveriesOf(tenant, webhook.id)).toHaveLength(1);
    await test.db.query(
      `UPDATE webhook_deliveries SET inserted_at = inserted_at - interval '25 hours' WHERE webhook_id = $1`,
      [webhook.id],
    );
    await purge();
    expect(await deliveriesOf(tenant, webhook.id)).toEqual([]);
  });

  it('of a person go with the person, and are exported before', async () => {
    const calls = await hook(tenant, receiver.url, ['call.queued', 'customer.deleted']);
    const { link } = await tenant.queue();
    const { call_id } = await tenant.join(link, { name: 'Vera Cruz', email: 'vera@example.com' });
    const [told] = await until(async () => {
      const found = await deliveriesOf(tenant, calls.id, '?status=delivered');
      return found.length > 0 && found;
    });
    const customer = told.payload.data.customer_id;
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    const exported = await tenant.owner.api.get(`/api/v1/customers/${customer}/export`);
    expect(exported.body.data.webhook_deliveries).toMatchObject([{ event: 'call.queued' }]);
    const erased = await tenant.owner.api.post(`/api/v1/customers/${customer}/erase`);
    expectStatus(erased, 200);
    expect(erased.body.data.erased.webhook_deliveries).toBe(1);
    await until(async () => (await deliveriesOf(tenant, calls.id, '?status=delivered')).length === 1);
    const left = await deliveriesOf(tenant, calls.id);
    expect(left.map(({ event, payload }: Json) => [event, payload.data])).toEqual([
      ['customer.deleted', { id: customer, erased: true }],
    ]);
  });

  // Last: whoever logs in does so at the application that was started last.
  describe('of two instances', () => {
    let neighbour: TestApp;

    beforeAll(async () => {
      neighbour = await startTestApp({ databaseUrl: test.databaseUrl });
    });

    afterAll(() => neighbour.close());

    it('are four at a time, on all instances together, and hold up no other webhook', async () => {
      const slow = held();
      receiver.treatment = slow.treatment;
      const quick = await Receiver.start();
      try {
        const other = await hook(tenant, quick.url);
        for (let count = 0; count < 10; count++) await happen();
        await quick.has(10);
        await receiver.has(4);
        await Promise.all([dispatch(), neighbour.get(Dispatcher).dispatch()]);
        await until(async () => (await deliveriesOf(tenant, other.id, '?status=delivered')).length === 10);
        expect(receiver.received).toHaveLength(4);
        expect(await test.get(DeliveryQueue).claim(webhook.id)).toEqual([]);
        slow.release();
        await receiver.has(10);
        await until(async () => (await deliveriesOf(tenant, webhook.id, '?status=delivered')).length === 10);
        expect(receiver.most).toBe(4);
        expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(10);
      } finally {
        slow.release();
        await quick.stop();
      }
    });

    it('are given back when the service stops, and every try is known of', async () => {
      const never = held();
      receiver.treatment = never.treatment;
      const stopping = await startTestApp();
      const company = await TestTenant.register(stopping);
      const slow = await hook(company, receiver.url);
      await company.department();
      await receiver.has(1);
      await stopping.app.close();
      const { rows } = await stopping.db.query(
        `SELECT d.status, d.claimed_until, d.attempts, d.failures, a.error
         FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id WHERE d.webhook_id = $1`,
        [slow.id],
      );
      never.release();
      expect(rows).toEqual([
        {
          status: 'pending',
          claimed_until: null,
          attempts: 1,
          failures: 0,
          error: 'given up when the service stopped',
        },
      ]);
      await stopping.db.end();
    });
  });
});
