import { Client } from 'pg';
import { AttemptRecorder } from '../../src/webhooks/deliveries/attempt-recorder';
import { DeliveryQueue } from '../../src/webhooks/deliveries/delivery-queue';
import { DeliveryDispatcher } from '../../src/webhooks/deliveries/delivery-dispatcher';
import { DeliveryConnectionLimiter } from '../../src/webhooks/deliveries/delivery-connection-limiter';
import { Database } from '../../src/platform/database/database';
import { Retention } from '../../src/platform/jobs/retention';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { answer, delayedHandler, WebhookReceiver, verifySignature } from '../support/peers/webhook-receiver';
import { startTestApp, type TestApp } from '../support/test-app';
import { TestClock } from '../support/test-clock';
import { until } from '../support/until';
import {
  waitForAttempts,
  deliveriesOf,
  createWebhook,
  untilFannedOut,
  waitForDelivery,
} from '../support/contexts/webhooks';

const MINUTE = 60;
const HOUR = 3600;

describe('webhook deliveries', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let receiver: WebhookReceiver;
  /** A second connection, to observe locks that the first one holds. */
  let observer: Client;
  let webhook: Json;

  beforeAll(async () => {
    test = await startTestApp();
    observer = new Client({ connectionString: test.databaseUrl });
    await observer.connect();
  });

  beforeEach(async () => {
    tenant = await TestTenant.register(test);
    receiver = await WebhookReceiver.start();
    webhook = await createWebhook(tenant, receiver.url);
  });

  afterEach(async () => {
    test.clock.resume();
    await receiver.stop();
  });

  afterAll(async () => {
    await observer.end();
    await test.close();
  });

  /** Triggers an event that the webhook subscribes to, and waits until its deliveries have been made. */
  const createDepartment = async () => {
    const department = await tenant.department();
    await untilFannedOut(test.db, tenant);
    return department;
  };

  /** Sends the deliveries that are due. */
  const dispatch = () => test.get(DeliveryDispatcher).dispatch();

  /** A failure after which the application's own dispatcher makes no attempt for an hour, by itself or before a test looks. */
  const FAILURE = answer(500, '', { 'retry-after': String(HOUR) });

  /**
   * The queue of another instance, whose clock is two hours ahead: a delivery that failed with FAILURE is due for it alone, so
   * that the application's own dispatcher cannot claim it first.
   */
  const queueOfInstanceAhead = () => {
    const clock = new TestClock();
    clock.advance((test.clock.now().getTime() - Date.now()) / 1000 + 2 * HOUR);
    return new DeliveryQueue(test.get(Database), test.get(DeliveryConnectionLimiter), clock);
  };

  /** Lets 20 seconds pass for the claims of the webhook: they end by the clock of the database. */
  const expireClaims = async () => {
    const { rows } = await test.db.query(
      `UPDATE webhook_deliveries SET claimed_until = claimed_until - interval '20 seconds'
       WHERE webhook_id = $1 AND claimed_until > now() RETURNING id`,
      [webhook.id],
    );
    expect(rows).toHaveLength(1);
  };

  const untilAttempts = (count: number) => waitForDelivery(tenant, webhook.id, { attempts: count });

  it('are sent at once with a signed payload', async () => {
    const department = await createDepartment();
    const [received] = await receiver.waitForDeliveries(1);
    const payload = verifySignature(received, webhook.secret);
    expect(payload).toMatchObject({
      type: 'department.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: { id: department.id, name: department.name },
    });
    expect(received?.headers).toMatchObject({ 'content-type': 'application/json' });
    const delivery = await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
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
    expect(() => verifySignature(received, `whsec_${Buffer.from('another').toString('base64')}`)).toThrow();
  });

  it('go only to active webhooks of the tenant that subscribe to the event', async () => {
    const stranger = await TestTenant.register(test);
    const [unsubscribed, inactive, foreign] = [
      await createWebhook(tenant, receiver.url, ['call.rated']),
      await createWebhook(tenant, receiver.url),
      await createWebhook(stranger, receiver.url),
    ];
    expectStatus(await tenant.owner.api.put(`/api/v1/webhooks/${inactive.id}`, { active: false }), 200);
    await createDepartment();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    for (const { id } of [unsubscribed, inactive]) expect(await deliveriesOf(tenant, id)).toEqual([]);
    expect(await deliveriesOf(stranger, foreign.id)).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const rotated = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`);
    expectStatus(rotated, 200);
    const { secret } = rotated.body.data;
    expect(secret).not.toBe(webhook.secret);
    await createDepartment();
    const [first] = await receiver.waitForDeliveries(1);
    expect(verifySignature(first, secret)).toEqual(verifySignature(first, webhook.secret));
    // A second rotation on the same day: all three secrets are valid.
    const twice = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/rotate-secret`);
    await createDepartment();
    const third = (await receiver.waitForDeliveries(2))[1];
    for (const valid of [webhook.secret, secret, twice.body.data.secret]) {
      expect(verifySignature(third, valid)).toBeDefined();
    }
    await test.db.query(
      `UPDATE webhook_secrets SET expires_at = expires_at - interval '1 day' WHERE webhook_id = $1`,
      [webhook.id],
    );
    await createDepartment();
    const last = (await receiver.waitForDeliveries(3))[2];
    expect(verifySignature(last, twice.body.data.secret)).toBeDefined();
    for (const old of [webhook.secret, secret]) expect(() => verifySignature(last, old)).toThrow();
  });

  it('are not created when the change is rolled back', async () => {
    const { department } = await tenant.queue();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    const rejected = await tenant.owner.api.post('/api/v1/departments', {
      department: { name: 'Twice', identifier: department.identifier },
    });
    expect(rejected.status).toBe(422);
    expect(await deliveriesOf(tenant, webhook.id)).toHaveLength(1);
  });

  it('are retried under one id for 17.5 hours, then fail', async () => {
    receiver.handler = answer(500, 'broken');
    // Otherwise the first pause, of five seconds, can be over before the test looks.
    test.clock.stop();
    await createDepartment();
    for (const [attemptCount, pause] of [
      5,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
    ].entries()) {
      const delivery = await untilAttempts(attemptCount + 1);
      expect(delivery).toMatchObject({ status: 'pending', response_status: 500, response_body: 'broken' });
      const seconds = (Date.parse(delivery.next_attempt_at) - test.clock.now().getTime()) / 1000;
      expect(seconds).toBeGreaterThan(pause * 0.99 - 3);
      expect(seconds).toBeLessThanOrEqual(pause * 1.1);
      test.clock.advance(pause * 1.1 + 1);
      await dispatch();
    }
    expect(await untilAttempts(7)).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    const stamps = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(stamps).size).toBe(7);
    const { data } = (
      await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}/deliveries/${receiver.received[0]?.id}`)
    ).body;
    expect(data.attempt_log.map(({ number, response_status }: Json) => [number, response_status])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((number) => [number, 500]),
    );
  });

  it('reach a receiver after an hour of downtime', async () => {
    const { port } = receiver;
    await receiver.stop();
    const department = await createDepartment();
    expect(await untilAttempts(1)).toMatchObject({ error: 'connection refused', response_status: null });
    const failing = (await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}`)).body.data;
    expect(failing.failing_since).not.toBeNull();
    const isClaimed = async () =>
      (await test.db.query('SELECT FROM webhook_deliveries WHERE claimed_until > now()')).rowCount !== 0;
    for (let minutes = 0; minutes < 60; minutes += 6) {
      test.clock.advance(6 * MINUTE);
      await dispatch();
      await until(async () => !(await isClaimed()));
    }
    receiver = await WebhookReceiver.start(port);
    test.clock.advance(2.2 * HOUR);
    await dispatch();
    const [received] = await receiver.waitForDeliveries(1);
    expect(received?.payload.data.id).toBe(department.id);
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    const recovered = (await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}`)).body.data;
    expect(recovered).toMatchObject({ failing_since: null, active: true });
  });

  it.each([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }],
    ['304 Not Modified', 304, {}],
    ['a client error', 400, {}],
    ['a server error', 503, {}],
  ])('are retried after %s', async (_what, status, headers) => {
    receiver.handler = answer(status, '', headers);
    await createDepartment();
    expect(await untilAttempts(1)).toMatchObject({ status: 'pending', response_status: status });
  });

  it.each([
    ['in seconds', () => '3600'],
    ['as a date', () => new Date(test.clock.now().getTime() + HOUR * 1000).toUTCString()],
  ])('wait for the time that Retry-After names %s', async (_how, header) => {
    receiver.handler = answer(429, '', { 'retry-after': header() });
    await createDepartment();
    const { next_attempt_at } = await untilAttempts(1);
    const seconds = (Date.parse(next_attempt_at) - test.clock.now().getTime()) / 1000;
    expect(Math.abs(seconds - HOUR)).toBeLessThan(10);
  });

  it('are retried after a malformed response, and store at most 1 KiB of a response body', async () => {
    receiver.handler = (response) => {
      response.socket?.end('\0\0\0 this is no HTTP \r\n\r\n');
    };
    await createDepartment();
    const failed = await untilAttempts(1);
    expect(failed).toMatchObject({ status: 'pending', response_status: null });
    expect(failed.error).toEqual(expect.any(String));
    receiver.handler = answer(200, `\0\u{1F600}${'x'.repeat(100_000)}`);
    test.clock.advance(10);
    await dispatch();
    const { response_body } = await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    expect(Buffer.byteLength(response_body)).toBeLessThanOrEqual(1024);
    expect(response_body).toMatch(/^\u{1F600}x+$/u);
  });

  it('are resumed 20 seconds after the instance that claimed them died', async () => {
    receiver.handler = FAILURE;
    await createDepartment();
    await untilAttempts(1);
    // The state that an instance leaves when it is killed during an attempt.
    const [claimed] = await queueOfInstanceAhead().claim(webhook.id);
    expect(claimed?.body).toContain('department.created');
    receiver.handler = answer(200);
    test.clock.advance(2 * HOUR);
    await dispatch();
    expect(receiver.received).toHaveLength(1);
    await expireClaims();
    await dispatch();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered', attempts: 3 });
    const { data } = (
      await tenant.owner.api.get(`/api/v1/webhooks/${webhook.id}/deliveries/${receiver.received[0]?.id}`)
    ).body;
    expect(data.attempt_log).toMatchObject([
      { number: 1, response_status: 500 },
      { number: 2, response_status: null, error: 'no result is known', duration_ms: null },
      { number: 3, response_status: 200, error: null },
    ]);
  });

  it('are not claimed by an instance whose clock is ahead while another one attempts them', async () => {
    receiver.handler = FAILURE;
    await createDepartment();
    await untilAttempts(1);
    const ahead = queueOfInstanceAhead();
    expect(await ahead.claim(webhook.id)).toHaveLength(1);
    expect(await ahead.claim(webhook.id)).toEqual([]);
    test.clock.advance(3 * HOUR);
    const queue = test.get(DeliveryQueue);
    expect(await queue.claim(webhook.id)).toEqual([]);
    expect((await queue.findDue()).map(({ webhook_id }) => webhook_id)).not.toContain(webhook.id);
    await expireClaims();
    await dispatch();
    await untilAttempts(3);
  });

  it('count as delivered when a success is recorded after another instance took over', async () => {
    receiver.handler = FAILURE;
    await createDepartment();
    await untilAttempts(1);
    const queue = queueOfInstanceAhead();
    const recorder = test.get(AttemptRecorder);
    const [slow] = await queue.claim(webhook.id);
    await expireClaims();
    const [quick] = await queue.claim(webhook.id);
    const outcome = { response_body: null, retry_after: null, error: null, duration_ms: 1 };
    await recorder.record(slow, { ...outcome, response_status: 200 });
    await recorder.record(quick, { ...outcome, response_status: 500 });
    expect((await deliveriesOf(tenant, webhook.id))[0]).toMatchObject({ status: 'delivered', attempts: 3 });
  });

  it('can be redelivered one by one or replayed by time range, under their original ids', async () => {
    const path = `/api/v1/webhooks/${webhook.id}`;
    receiver.handler = FAILURE;
    const from = test.clock.now().toISOString();
    for (let count = 0; count < 3; count++) await createDepartment();
    await waitForAttempts(tenant, webhook.id, 1);
    await test.db.query(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, failures = 7 WHERE webhook_id = $1`,
      [webhook.id],
    );
    const ids = receiver.received.map(({ id }) => id).sort();
    receiver.handler = answer(200);
    const one = await tenant.owner.api.post(`${path}/deliveries/${ids[0]}/redeliver`);
    expectStatus(one, 202);
    await until(async () => (await deliveriesOf(tenant, webhook.id, '?status=delivered')).length === 1);
    expect(receiver.received.at(-1)?.id).toBe(ids[0]);

    const failed = await tenant.owner.api.post(`${path}/replay`, { from, status: 'failed' });
    expect([failed.status, failed.body.data]).toEqual([202, { count: 2 }]);
    await until(async () => (await deliveriesOf(tenant, webhook.id, '?status=delivered')).length === 3);
    const all = await tenant.owner.api.post(`${path}/replay`, { from, to: test.clock.now().toISOString() });
    expect(all.body.data).toEqual({ count: 3 });
    await receiver.waitForDeliveries(3 + 1 + 2 + 3);
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

  it('are all replayed from a large range, except those that another transaction changes meanwhile', async () => {
    const never = delayedHandler();
    receiver.handler = never.handler;
    await test.db.query(
      `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, inserted_at)
       SELECT $1, $2, 'department.created', '{}', 'failed', $3::timestamptz + make_interval(secs => n / 1000.0)
       FROM generate_series(1, 4500) AS n`,
      [tenant.id, webhook.id, '2026-01-01T12:00:00Z'],
    );
    await test.db.query('BEGIN');
    await test.db.query(
      `UPDATE webhook_deliveries SET status = 'delivered' WHERE id = (
         SELECT id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY inserted_at OFFSET 10 LIMIT 1)`,
      [webhook.id],
    );
    const range = { from: '2026-01-01', to: '2026-01-02', status: 'failed' };
    const replay = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/replay`, range);
    expect([replay.status, replay.body.data]).toEqual([202, { count: 4500 }]);
    await until(async () => {
      const { rows } = await observer.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await test.db.query('COMMIT');
    const countByStatus = async () => {
      const { rows } = await test.db.query(
        `SELECT status, count(*)::int AS count, max(next_attempt_at) - min(next_attempt_at) > interval '3 minutes' AS paced
         FROM webhook_deliveries WHERE webhook_id = $1 GROUP BY status ORDER BY status`,
        [webhook.id],
      );
      return rows;
    };
    await until(async () => (await countByStatus()).every(({ status }) => status !== 'failed'));
    expect(await countByStatus()).toEqual([
      { status: 'delivered', count: 1, paced: null },
      { status: 'pending', count: 4499, paced: true },
    ]);
    expectStatus(await tenant.owner.api.delete(`/api/v1/webhooks/${webhook.id}`), 204);
    never.release();
  });

  it('are counted for a replay without locking the webhook, so that others are sent meanwhile', async () => {
    await test.db.query('BEGIN; LOCK webhook_deliveries IN ACCESS EXCLUSIVE MODE');
    const replay = tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/replay`, { from: '2026-01-01' });
    try {
      await until(async () => {
        const { rows } = await observer.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%count(*)::int AS count FROM webhook_deliveries%'`,
        );
        return rows.length > 0;
      });
      const locked = await observer.query('SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [
        webhook.id,
      ]);
      expect(locked.rows).toHaveLength(1);
    } finally {
      await test.db.query('COMMIT');
    }
    expectStatus(await replay, 202);
  });

  it('are replayed once even if the job of the replay runs twice', async () => {
    await createDepartment();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    const replay = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/replay`, {
      from: '2020-01-01',
    });
    expect([replay.status, replay.body.data]).toEqual([202, { count: 1 }]);
    await waitForDelivery(tenant, webhook.id, { status: 'delivered', attempts: 2 });
    const { rows } = await test.db.query(
      `INSERT INTO pgboss.job (name, data, retry_limit)
       SELECT name, data, 3 FROM pgboss.job WHERE name = 'webhooks.replay' AND data->>'webhook_id' = $1 RETURNING id`,
      [webhook.id],
    );
    await until(async () => {
      const jobs = await test.db.query('SELECT state FROM pgboss.job WHERE id = $1', [rows[0]?.id]);
      return jobs.rows[0]?.state === 'completed';
    });
    await dispatch();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered', attempts: 2 });
    expect(receiver.received).toHaveLength(2);
  });

  it('are deleted after 30 days', async () => {
    await createDepartment();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    const purgeDeliveries = () => test.get(Retention).run(new AbortController().signal);
    await test.db.query(
      `UPDATE webhook_deliveries SET inserted_at = inserted_at - interval '29 days' WHERE webhook_id = $1`,
      [webhook.id],
    );
    await purgeDeliveries();
    expect(await deliveriesOf(tenant, webhook.id)).toHaveLength(1);
    await test.db.query(
      `UPDATE webhook_deliveries SET inserted_at = inserted_at - interval '25 hours' WHERE webhook_id = $1`,
      [webhook.id],
    );
    await purgeDeliveries();
    expect(await deliveriesOf(tenant, webhook.id)).toEqual([]);
  });

  it('about a customer are exported and erased with the customer', async () => {
    const calls = await createWebhook(tenant, receiver.url, ['call.queued', 'customer.deleted']);
    const { link } = await tenant.queue();
    const { call_id } = await tenant.join(link, { name: 'Vera Cruz', email: 'vera@example.com' });
    const [delivery] = await until(async () => {
      const found = await deliveriesOf(tenant, calls.id, '?status=delivered');
      return found.length > 0 && found;
    });
    const customer = delivery.payload.data.customer_id;
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

  describe('on two instances', () => {
    let secondApp: TestApp;

    beforeAll(async () => {
      secondApp = await startTestApp({ databaseUrl: test.databaseUrl });
    });

    afterAll(() => secondApp.close());

    it('are limited to four at a time per webhook, and do not delay other webhooks', async () => {
      const slow = delayedHandler();
      receiver.handler = slow.handler;
      const quick = await WebhookReceiver.start();
      try {
        const other = await createWebhook(tenant, quick.url);
        for (let count = 0; count < 10; count++) await createDepartment();
        await quick.waitForDeliveries(10);
        await receiver.waitForDeliveries(4);
        await Promise.all([dispatch(), secondApp.get(DeliveryDispatcher).dispatch()]);
        await until(async () => (await deliveriesOf(tenant, other.id, '?status=delivered')).length === 10);
        expect(receiver.received).toHaveLength(4);
        expect(await test.get(DeliveryQueue).claim(webhook.id)).toEqual([]);
        slow.release();
        await receiver.waitForDeliveries(10);
        await until(async () => (await deliveriesOf(tenant, webhook.id, '?status=delivered')).length === 10);
        expect(receiver.maxOpenRequests).toBe(4);
        expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(10);
      } finally {
        slow.release();
        await quick.stop();
      }
    });

    it('are released on shutdown, and the aborted attempt is recorded', async () => {
      const never = delayedHandler();
      receiver.handler = never.handler;
      const stopping = await startTestApp();
      const stoppingTenant = await TestTenant.register(stopping);
      const slow = await createWebhook(stoppingTenant, receiver.url);
      await stoppingTenant.department();
      await receiver.waitForDeliveries(1);
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
          error: 'aborted because the service stopped',
        },
      ]);
      await stopping.db.end();
    });
  });
});
