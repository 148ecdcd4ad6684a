import { DeliveryDispatcher } from '../../src/webhooks/deliveries/delivery-dispatcher';
import { WEBHOOK_EVENTS } from '../../src/webhooks/payloads/webhook-event-types';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { auditRows } from '../support/contexts/audit-rows';
import { expectFailure } from '../support/database/failures';
import { answer, WebhookReceiver, verifySignature } from '../support/peers/webhook-receiver';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import {
  waitForAttempts,
  deliveriesOf,
  createWebhook,
  insertFailedDelivery,
  UNREACHABLE_URL,
  untilFannedOut,
  waitForDelivery,
} from '../support/contexts/webhooks';
import { useMails } from '../support/contexts/mail-usage';

const PATH = '/api/v1/webhooks';
const DAY = 86_400;

describe('webhooks', () => {
  let mail: SmtpPeer;
  let test: TestApp;
  let tenant: TestTenant;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    mail = await SmtpPeer.start();
    test = await startTestApp({ env: { SMTP_URL: mail.url() } });
    receiver = await WebhookReceiver.start();
  });

  beforeEach(async () => {
    test.clock.reset();
    // The first retry is due after 5 s, and the tests decide when they have passed.
    test.clock.stop();
    tenant = await TestTenant.register(test);
    receiver.received.length = 0;
    receiver.handler = answer(200, 'ok');
  });

  afterAll(async () => {
    await test.close();
    await receiver.stop();
    await mail.stop();
  });

  const get = async (id: string): Promise<Json> => {
    const found = await tenant.owner.api.get(`${PATH}/${id}`);
    expectStatus(found, 200);
    return found.body.data;
  };

  /** Triggers an event, and waits until its deliveries have been made. */
  const createDepartment = async (input?: Json): Promise<Json> => {
    const department = await tenant.department(input);
    await untilFannedOut(test.db, tenant);
    return department;
  };

  const create = (body: object) => tenant.owner.api.post(PATH, body);
  const update = (id: string, body: object) => tenant.owner.api.put(`${PATH}/${id}`, body);

  it('can be created, read, changed and deleted; the secret is shown only once', async () => {
    const input = {
      url: 'https://crm.example.com/hook?of=ours',
      events: ['call.completed'],
      description: 'CRM',
    };
    const created = await create({ webhook: input });
    expectStatus(created, 201);
    const { secret, ...webhook } = created.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ ...input, active: true, failing_since: null, disabled_at: null });
    expect(await get(webhook.id)).toEqual(webhook);
    const list = await tenant.owner.api.get(PATH);
    expect(list.body.data).toEqual([webhook]);

    const changed = await update(webhook.id, { events: ['call.rated', 'call.missed'], description: null });
    expect(changed.body.data).toMatchObject({
      url: input.url,
      events: ['call.rated', 'call.missed'],
      description: null,
    });
    expect(changed.body.data.secret).toBeUndefined();
    const moved = await update(webhook.id, { url: UNREACHABLE_URL });
    expect(moved.body.data).toMatchObject({ url: UNREACHABLE_URL, events: ['call.rated', 'call.missed'] });
    const { rows } = await test.db.query('SELECT secret FROM webhook_secrets WHERE webhook_id = $1', [
      webhook.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0].secret).not.toContain(secret.slice(6));

    expectStatus(await tenant.owner.api.delete(`${PATH}/${webhook.id}`), 204);
    expectFailure(await tenant.owner.api.get(`${PATH}/${webhook.id}`), 404, { code: 'not_found' });
  });

  it('are hidden at once when they are deleted, and removed with their deliveries by a job', async () => {
    const webhook = await createWebhook(tenant);
    const delivery = await insertFailedDelivery(test.db, tenant.id, webhook.id);
    const path = `${PATH}/${webhook.id}`;
    const { api } = tenant.owner;
    // The job has to wait for another transaction; the request does not.
    await test.db.query('BEGIN');
    await test.db.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [delivery]);
    try {
      expectStatus(await api.delete(path), 204);
      const deliveryPath = `${path}/deliveries/${delivery}`;
      const answers = [
        await api.get(path),
        await api.put(path, { active: true }),
        await api.delete(path),
        await api.post(`${path}/test`),
        await api.post(`${path}/rotate-secret`),
        await api.post(`${path}/replay`, { from: '2020-01-01' }),
        await api.get(`${path}/deliveries`),
        await api.get(deliveryPath),
        await api.post(`${deliveryPath}/redeliver`),
      ];
      for (const hidden of answers) expectFailure(hidden, 404, { code: 'not_found' });
      expect((await api.get(PATH)).body.data.map(({ id }: Json) => id)).not.toContain(webhook.id);
    } finally {
      await test.db.query('COMMIT');
    }
    await until(async () => {
      const { rows } = await test.db.query(
        'SELECT id FROM webhooks WHERE id = $1 UNION ALL SELECT id FROM webhook_deliveries WHERE webhook_id = $1',
        [webhook.id],
      );
      return rows.length === 0;
    });
  });

  it.each([
    ['an invalid URL', { url: 'crm' }, 'url'],
    ['http', { url: 'http://crm.example.com' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['the cloud metadata service', { url: 'https://169.254.169.254/latest' }, 'url'],
    ['a mapped loopback address', { url: 'https://[::ffff:127.0.0.2]/' }, 'url'],
    ['no URL', { url: undefined }, 'url'],
    ['null as URL', { url: null }, 'url'],
    ['null as events', { events: null }, 'events'],
    ['no event', { events: [] }, 'events'],
    ['an unknown event', { events: ['call.dreamt'] }, 'events'],
    ['the test event', { events: ['webhook.test'] }, 'events'],
    ['a repeated event', { events: ['call.rated', 'call.rated'] }, 'events'],
    ['a string instead of a list of events', { events: 'call.rated' }, 'events'],
    ['a description that is too long', { description: 'x'.repeat(256) }, 'description'],
  ])('are rejected with %s', async (_what, invalid, field) => {
    const valid = { url: 'https://crm.example.com', events: ['call.rated'] };
    expectFailure(await create({ ...valid, ...invalid }), 422, { code: 'validation_failed', field });
    if (Object.values(invalid)[0] === undefined) return;
    const { id } = await createWebhook(tenant);
    expectFailure(await update(id, invalid), 422, { code: 'validation_failed', field });
  });

  it('can subscribe to every event', async () => {
    expectStatus(await create({ url: UNREACHABLE_URL, events: [...WEBHOOK_EVENTS] }), 201);
  });

  it('are limited to 50, also when two requests race for the last one', async () => {
    await test.db.query(
      `INSERT INTO webhooks (id, tenant_id, url, events, inserted_at, updated_at)
       SELECT gen_random_uuid(), $1, 'https://crm.example.com', '{call.rated}', now(), now()
       FROM generate_series(1, 49)`,
      [tenant.id],
    );
    const both = [0, 1].map(() => create({ url: UNREACHABLE_URL, events: ['call.rated'] }));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 422]);
  });

  it('are limited to 10 on the plan free, also when two requests race for the last one', async () => {
    const free = await TestTenant.register(test, 'free');
    await test.db.query(
      `INSERT INTO webhooks (id, tenant_id, url, events, inserted_at, updated_at)
       SELECT gen_random_uuid(), $1, 'https://crm.example.com', '{call.rated}', now(), now()
       FROM generate_series(1, 9)`,
      [free.id],
    );
    const answers = await Promise.all(
      [0, 1, 2].map(() => free.owner.api.post(PATH, { url: UNREACHABLE_URL, events: ['call.rated'] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    const refused = answers.find(({ status }) => status === 403);
    expectFailure(refused!, 403, { code: 'plan_limit' });
    expect(refused?.body.errors.detail).toBe('The plan free allows 10 webhooks. The plan basic allows more.');
    const { body } = await free.owner.api.get('/api/v1/billing/plan');
    expect(body.data.max_webhooks).toBe(10);
  });

  it('can be tested with one attempt, which does not affect the failure count', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    const tested = await tenant.owner.api.post(`${PATH}/${webhook.id}/test`);
    expectStatus(tested, 200);
    const [received] = receiver.received;
    expect(verifySignature(received, webhook.secret)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: webhook.id },
    });
    expect(tested.body.data).toMatchObject({
      id: received?.id,
      event: 'webhook.test',
      status: 'delivered',
      attempts: 1,
      response_status: 200,
      response_body: 'ok',
      attempt_log: [{ number: 1, response_status: 200 }],
    });
    for (const [status, treatment] of [
      [410, answer(410)],
      [500, answer(500)],
    ] as const) {
      receiver.handler = treatment;
      const failed = await tenant.owner.api.post(`${PATH}/${webhook.id}/test`);
      expect([failed.status, failed.body.data]).toMatchObject([
        200,
        { status: 'failed', response_status: status, next_attempt_at: null },
      ]);
    }
    expect(await get(webhook.id)).toMatchObject({ active: true, failing_since: null });
    const again = await tenant.owner.api.post(`${PATH}/${webhook.id}/deliveries/${received?.id}/redeliver`);
    expectFailure(again, 422, { code: 'webhook_test' });
    const from = { from: '2020-01-01' };
    const replayed = await tenant.owner.api.post(`${PATH}/${webhook.id}/replay`, from);
    expect(replayed.body.data).toEqual({ count: 0 });
  });

  it('are disabled at once when they answer 410, and managers are notified by e-mail', async () => {
    const manager = await tenant.member('manager');
    const former = await tenant.member('manager');
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${former.id}`, { active: false }), 200);
    const supervisor = await tenant.member('supervisor');
    const webhook = await createWebhook(tenant, receiver.url);
    receiver.handler = answer(410);
    await createDepartment();
    const delivery = await waitForDelivery(tenant, webhook.id, { status: 'failed' });
    expect(delivery).toMatchObject({ attempts: 1, response_status: 410 });
    expect(await get(webhook.id)).toMatchObject({ active: false, disabled_reason: 'gone' });
    // The owner's request caused the event, but did not disable the webhook.
    const audited = await auditRows(test, `action = 'webhook.switched_off' AND subject_id = $1`, webhook.id);
    expect(audited).toMatchObject([{ user_id: null, address: null, request_id: null }]);
    for (const { email } of [manager, tenant.owner]) {
      const message = await mail.messageTo(email);
      expect(message.text).toContain('410');
      // The company chose the URL, so it is not mailed.
      expect(message.text).not.toContain(receiver.url);
    }
    for (const { email } of [supervisor, former]) expect(mail.messagesTo(email)).toEqual([]);
    await createDepartment();
    expect(await deliveriesOf(tenant, webhook.id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  /** Creates a webhook, has it disabled by a delivery that is answered with 410, and waits for the mails. */
  async function disableWebhook(): Promise<void> {
    const webhook = await createWebhook(tenant, `${receiver.url}/hook?key=hidden`);
    receiver.handler = answer(410);
    await createDepartment();
    await until(async () => (await get(webhook.id)).disabled_reason === 'gone');
    await until(async () => {
      const { rows } = await test.db.query(
        `SELECT FROM pgboss.job WHERE name LIKE '%webhook-disabled' AND state IN ('created', 'retry', 'active')`,
      );
      return rows.length === 0;
    });
  }

  describe('mails about a disabled webhook', () => {
    it('go only to managers who accepted their invitation, and have no link to the receiver', async () => {
      const invitee = { name: 'Stranger', email: 'invited.stranger@example.com', role: 'manager' };
      expectStatus(await tenant.owner.api.post('/api/v1/users', invitee), 201);
      const invitation = await mail.messageTo(invitee.email);
      await disableWebhook();
      const message = await mail.messageTo(tenant.owner.email);
      expect(message.text).not.toMatch(/https?:|hidden/);
      expect(mail.messagesTo(invitee.email)).toEqual([invitation]);
    });

    it('go to managers within the daily allowance of mails, and three a day beyond it to the owner', async () => {
      const all = 5000;
      await useMails(test, tenant.id, all);
      const manager = await tenant.member('manager');
      for (let count = 0; count < 4; count++) await disableWebhook();
      expect(mail.messagesTo(tenant.owner.email)).toHaveLength(3);
      expect(mail.messagesTo(manager.email)).toEqual([]);
      const { rows } = await test.db.query('SELECT mail_count FROM mail_usage WHERE tenant_id = $1', [
        tenant.id,
      ]);
      expect(rows).toEqual([{ mail_count: all + 3 }]);
    });
  });

  it('are disabled after failing for three days, and missed events can be replayed', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    const path = `${PATH}/${webhook.id}`;
    receiver.handler = answer(500);
    const from = { from: test.clock.now().toISOString() };
    const first = await createDepartment();
    await waitForDelivery(tenant, webhook.id, { attempts: 1 });
    const { failing_since } = await get(webhook.id);
    expect(Date.parse(failing_since)).toBeLessThanOrEqual(test.clock.now().getTime());
    test.clock.advance(1);
    const second = await createDepartment();
    await waitForAttempts(tenant, webhook.id, 1);
    test.clock.advance(3 * DAY - 3600);
    for (const [attempts, pause] of [
      [2, 331],
      [3, 1981],
      [4, 7921],
    ] as const) {
      await test.get(DeliveryDispatcher).dispatch();
      await waitForAttempts(tenant, webhook.id, attempts);
      expect((await get(webhook.id)).active).toBe(true);
      test.clock.advance(pause);
    }
    await until(async () => {
      await test.get(DeliveryDispatcher).dispatch();
      return !(await get(webhook.id)).active;
    });
    expect(await get(webhook.id)).toMatchObject({ disabled_reason: 'failing', failing_since });
    // An attempt that ended only later would be followed by a pause from then on.
    await waitForAttempts(tenant, webhook.id);
    // The pending deliveries become due while the webhook is disabled.
    test.clock.advance(20 * 3600);
    await until(async () => {
      await test.get(DeliveryDispatcher).dispatch();
      return (await deliveriesOf(tenant, webhook.id)).every(({ status }: Json) => status === 'failed');
    });
    test.clock.advance(1);
    const third = await createDepartment();
    const kept = await deliveriesOf(tenant, webhook.id);
    expect(kept.map(({ status, payload }: Json) => [status, payload.data.id])).toEqual(
      [third, second, first].map(({ id }) => ['failed', id]),
    );
    expect(kept[0]).toMatchObject({ attempts: 0, error: 'the webhook is inactive' });
    expectFailure(await tenant.owner.api.post(`${path}/replay`, from), 422, { code: 'webhook_inactive' });
    const again = `${path}/deliveries/${kept[0].id}/redeliver`;
    expectFailure(await tenant.owner.api.post(again), 422, { code: 'webhook_inactive' });

    receiver.received.length = 0;
    receiver.handler = answer(200);
    expect((await update(webhook.id, { active: true })).body.data).toMatchObject({
      active: true,
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
    });
    expect((await tenant.owner.api.post(`${path}/replay`, from)).body.data).toEqual({ count: 3 });
    const redelivered = await receiver.waitForDeliveries(3);
    expect(redelivered.map(({ payload }) => payload.data.id).sort()).toEqual(
      [first.id, second.id, third.id].sort(),
    );
  });

  it('receive nothing while inactive, and later deliveries once they are active again', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    receiver.handler = answer(500);
    for (const name of ['one', 'other']) {
      test.clock.advance(1);
      await createDepartment({ name });
      await waitForDelivery(tenant, webhook.id, { attempts: 1 });
    }
    // The second delivery is due an hour later.
    await test.db.query(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at + interval '1 hour'
       WHERE webhook_id = $1 AND payload->'data'->>'name' = 'other'`,
      [webhook.id],
    );
    receiver.handler = answer(200);
    expectStatus(await update(webhook.id, { active: false }), 200);
    test.clock.advance(60);
    // The application's own dispatcher may be serving the webhook, which then gets another turn.
    await until(async () => {
      await test.get(DeliveryDispatcher).dispatch();
      return (await deliveriesOf(tenant, webhook.id)).some(({ status }) => status === 'failed');
    });
    const given = await deliveriesOf(tenant, webhook.id);
    expect(given.map(({ status, payload }: Json) => [payload.data.name, status])).toEqual([
      ['other', 'pending'],
      ['one', 'failed'],
    ]);
    expectStatus(await update(webhook.id, { active: true }), 200);
    test.clock.advance(3700);
    await test.get(DeliveryDispatcher).dispatch();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    expect(receiver.received).toHaveLength(3);
  });

  it('are delayed while the tenant is suspended', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    receiver.handler = answer(500);
    await createDepartment();
    await waitForDelivery(tenant, webhook.id, { attempts: 1 });
    const suspend = (at: string) =>
      test.db.query(`UPDATE tenants SET suspended_at = ${at} WHERE id = $1`, [tenant.id]);
    await suspend('now()');
    test.clock.advance(60);
    await test.get(DeliveryDispatcher).dispatch();
    // Read from the database: the API refuses a suspended tenant, and afterwards the delivery is due at once.
    const { rows } = await test.db.query(
      'SELECT attempts, status FROM webhook_deliveries WHERE webhook_id = $1',
      [webhook.id],
    );
    expect(rows).toEqual([{ attempts: 1, status: 'pending' }]);
    receiver.handler = answer(200);
    await suspend('NULL');
    await test.get(DeliveryDispatcher).dispatch();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
  });

  it('do not block or fail a change while they are being deleted', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    await test.db.query('BEGIN');
    await test.db.query('DELETE FROM webhooks WHERE id = $1', [webhook.id]);
    await createDepartment();
    await test.db.query('COMMIT');
    expect((await tenant.owner.api.get(`${PATH}/${webhook.id}`)).status).toBe(404);
  });

  it('do not delay changes or other webhooks while their rows are locked', async () => {
    const [locked, free] = [
      await createWebhook(tenant, UNREACHABLE_URL),
      await createWebhook(tenant, receiver.url),
    ];
    await test.db.query('BEGIN');
    await test.db.query('SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [locked.id]);
    for (let count = 0; count < 15; count++) await createDepartment();
    await receiver.waitForDeliveries(15);
    await test.db.query('COMMIT');
    await until(async () => (await deliveriesOf(tenant, free.id, '?status=delivered')).length === 15);
    await test.get(DeliveryDispatcher).dispatch();
    await waitForAttempts(tenant, locked.id, 1);
  });

  it('fail visibly when their secret cannot be decrypted', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    await test.db.query(`UPDATE webhook_secrets SET secret = 'lost.secret' WHERE webhook_id = $1`, [
      webhook.id,
    ]);
    await createDepartment();
    const failed = await waitForDelivery(tenant, webhook.id, {
      attempts: 1,
      error: 'the secret cannot be read',
    });
    expect(failed.status).toBe('pending');
    const tested = await tenant.owner.api.post(`${PATH}/${webhook.id}/test`);
    expect([tested.status, tested.body.data.status]).toEqual([200, 'failed']);
  });

  it('are hidden from other tenants', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    const { body } = await tenant.owner.api.post(`${PATH}/${webhook.id}/test`);
    const { owner } = await TestTenant.register(test);
    const own = await owner.api.post(PATH, { url: UNREACHABLE_URL, events: ['call.rated'] });
    const one = `deliveries/${body.data.id}`;
    const foreignResponses = [
      await owner.api.get(`${PATH}/${webhook.id}/${one}`),
      await owner.api.get(`${PATH}/${own.body.data.id}/${one}`),
      await owner.api.post(`${PATH}/${own.body.data.id}/${one}/redeliver`),
    ];
    expect(foreignResponses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await owner.api.get(PATH)).body.data).toHaveLength(1);
  });
});
