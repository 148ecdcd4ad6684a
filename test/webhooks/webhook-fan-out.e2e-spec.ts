import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { PoolAdmission } from '../../src/platform/database/connections/pool-admission';
import { InstallationPause } from '../../src/platform/database/installation/installation-pause';
import { OutboundGate } from '../../src/platform/database/installation/outbound-gate';
import { EventFanOut } from '../../src/webhooks/deliveries/event-fan-out';
import { discardDeliveries } from '../../src/webhooks/deliveries/discard-deliveries';
import { expectStatus, TestTenant } from '../support/builders';
import {
  createWebhook,
  deliveriesOf,
  holdEvents,
  UNREACHABLE_URL,
  untilFannedOut,
  waitForDelivery,
} from '../support/contexts/webhooks';
import type { Json } from '../support/http/api';
import { answer, WebhookReceiver } from '../support/peers/webhook-receiver';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const get = async (of: TestTenant, { id }: Json): Promise<Json> =>
  (await of.owner.api.get(`/api/v1/webhooks/${id}`)).body.data;

describe('events that webhooks subscribe to', () => {
  let mail: SmtpPeer;
  let test: TestApp;
  let second: TestApp;
  let receiver: WebhookReceiver;
  let holder: Client;
  let tenant: TestTenant;

  beforeAll(async () => {
    mail = await SmtpPeer.start();
    const env = { SMTP_URL: mail.url() };
    test = await startTestApp({ env });
    second = await startTestApp({ env, databaseUrl: test.databaseUrl });
    receiver = await WebhookReceiver.start();
    holder = new Client({ connectionString: test.databaseUrl });
    await holder.connect();
  });

  beforeEach(async () => {
    tenant = await TestTenant.register(test);
    receiver.received.length = 0;
    receiver.handler = answer(200, 'ok');
  });

  afterEach(async () => {
    // Thousands of deliveries would delay those of the next test.
    await suspend(tenant);
    await holder.query('COMMIT');
  });

  afterAll(async () => {
    await holder.end();
    await receiver.stop();
    await second.close();
    await test.close();
    await mail.stop();
  });

  const count = async (table: string, { id }: TestTenant, condition = 'true'): Promise<number> => {
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1 AND ${condition}`,
      [id],
    );
    return rows[0].count;
  };

  async function addWebhooks(of: TestTenant, number: number, event = 'access_link.created'): Promise<void> {
    await test.db.query(
      `INSERT INTO webhooks (id, tenant_id, url, events, inserted_at, updated_at)
       SELECT gen_random_uuid(), $1, '${UNREACHABLE_URL}', ARRAY[$2], now(), now() FROM generate_series(1, $3)`,
      [of.id, event, number],
    );
  }

  /** Keeps deliveries from being sent until the test ends: a claim skips webhooks that are locked. */
  const holdClaims = async (...of: TestTenant[]): Promise<void> => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM webhooks WHERE tenant_id = ANY ($1) FOR NO KEY UPDATE', [
      of.map(({ id }) => id),
    ]);
  };

  const suspend = (of: TestTenant, at = 'now()') =>
    test.db.query(`UPDATE tenants SET suspended_at = ${at} WHERE id = $1`, [of.id]);

  const createLinks = (of: TestTenant, department: Json, number: number, app = test) =>
    app.api.as(of.owner.token).post('/api/v1/access-links/batch', {
      links: Array.from({ length: number }, () => ({ department_id: department.id })),
    });

  /** Stores events as a change does, for webhooks of the tenant. */
  const storeEvents = (of: TestTenant, number: number) =>
    test.db.query(
      `INSERT INTO webhook_events (tenant_id, event, payload, webhook_ids, inactive_webhook_ids, inserted_at)
       SELECT $1, 'access_link.created', json_build_object('data', json_build_object('id', n)),
         ARRAY(SELECT id FROM webhooks WHERE tenant_id = $1), '{}', now()
       FROM generate_series(1, $2) AS n`,
      [of.id, number],
    );

  /** Inserts pending deliveries that are not due for a day. */
  const insertPending = (webhook: Json, number: number) =>
    test.db.query(
      `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, next_attempt_at, inserted_at)
       SELECT tenant_id, id, 'access_link.created', '{}', 'pending', now() + interval '1 day', now()
       FROM webhooks, generate_series(1, $2) WHERE id = $1`,
      [webhook.id, number],
    );

  const pendingOf = ({ id }: Json, of: TestTenant) =>
    count('webhook_deliveries', of, `webhook_id = '${id}' AND status = 'pending'`);

  it('are one row each in the request, and one delivery for each webhook afterwards', async () => {
    await addWebhooks(tenant, 50);
    const department = await tenant.department();
    const release = await holdEvents(holder, tenant);
    await holdClaims(tenant);
    try {
      expectStatus(await createLinks(tenant, department, 500), 201);
      expect(await count('webhook_events', tenant)).toBe(500);
      expect(await count('webhook_deliveries', tenant)).toBe(0);
    } finally {
      await release();
    }
    await untilFannedOut(test.db, tenant);
    const { rows } = await test.db.query(
      `SELECT webhook_id, count(DISTINCT payload #>> '{data,id}')::int AS links, count(*)::int AS deliveries
       FROM webhook_deliveries WHERE tenant_id = $1 GROUP BY webhook_id`,
      [tenant.id],
    );
    expect(rows).toHaveLength(50);
    expect(new Set(rows.map(({ links, deliveries }) => `${links} ${deliveries}`))).toEqual(
      new Set(['500 500']),
    );
  });

  it('go to the webhooks that subscribed when the change was made', async () => {
    const former = await createWebhook(tenant, receiver.url);
    const release = await holdEvents(holder, tenant);
    const department = await tenant.department();
    const later = await createWebhook(tenant, receiver.url);
    const path = `/api/v1/webhooks/${former.id}`;
    expectStatus(await tenant.owner.api.put(path, { events: ['call.rated'] }), 200);
    await tenant.owner.api.put(`/api/v1/departments/${department.id}`, { name: 'Renamed' });
    await release();
    const delivery = await waitForDelivery(tenant, former.id, { status: 'delivered' });
    expect(delivery.payload.data).toMatchObject({ id: department.id, name: department.name });
    expect(await deliveriesOf(tenant, later.id)).toEqual([]);
  });

  it('of another company are delivered before those of companies with thousands of deliveries', async () => {
    const large = [];
    for (let number = 0; number < 6; number++) {
      const other = await TestTenant.register(test);
      await addWebhooks(other, 10);
      large.push(other);
    }
    await holdClaims(...large);
    for (const other of large) await storeEvents(other, 800);
    await until(async () => (await test.db.query('SELECT FROM webhook_events')).rowCount !== 4800);
    await createWebhook(tenant, receiver.url);
    await tenant.department();
    await receiver.waitForDeliveries(1);
    for (const other of large) expect(await count('webhook_events', other)).toBeGreaterThan(0);
    for (const other of large) {
      await untilFannedOut(test.db, other);
      expect(await count('webhook_deliveries', other)).toBe(8000);
      await suspend(other);
    }
  });

  it('are delivered once each by two instances, also if a connection is lost in between', async () => {
    await addWebhooks(tenant, 3);
    // A batch waits for the table after it has read its events.
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE webhook_deliveries IN SHARE MODE');
    await storeEvents(tenant, 400);
    const terminated = await until(async () => {
      const { rows } = await test.db.query(
        `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%DELETE FROM webhook_events%'`,
      );
      return rows.length > 0 && rows;
    });
    expect(terminated[0]).toEqual({ ended: true });
    await holder.query('COMMIT');
    await holdClaims(tenant);
    await untilFannedOut(test.db, tenant);
    const { rows } = await test.db.query(
      `SELECT webhook_id, payload #>> '{data,id}' AS n FROM webhook_deliveries WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect(rows).toHaveLength(1200);
    expect(new Set(rows.map(({ webhook_id, n }) => `${webhook_id} ${n}`)).size).toBe(1200);
  });

  describe('beyond the pending deliveries that a webhook may have', () => {
    let free: TestTenant;
    let department: Json;
    let webhook: Json;

    beforeEach(async () => {
      free = await TestTenant.register(test, 'free');
      const { body } = await free.owner.api.get('/api/v1/departments');
      department = body.data[0] ?? (await free.department());
      webhook = await createWebhook(free, receiver.url, ['access_link.created']);
    });

    it('are not written: it is disabled, the owner is mailed, and it begins with none when it is active again', async () => {
      await insertPending(webhook, 9995);
      const release = await holdEvents(holder, free);
      // Several instances at once: none exceeds the limit.
      const answers = await Promise.all(
        [test, second, test, second].map((app) => createLinks(free, department, 3, app)),
      );
      for (const created of answers) expectStatus(created, 201);
      receiver.handler = answer(500, '', { 'retry-after': '3600' });
      await release();
      await untilFannedOut(test.db, free);
      expect(await get(free, webhook)).toMatchObject({ active: false, disabled_reason: 'backlog' });
      expect(await count('webhook_deliveries', free)).toBe(10_000);
      expect((await mail.messageTo(free.owner.email)).text).toMatch(/pendente/);
      expectStatus(await createLinks(free, department, 1), 201);
      expect(await count('webhook_events', free)).toBe(0);
      await until(async () => (await pendingOf(webhook, free)) <= 4);
      expect(await count('webhook_deliveries', free)).toBe(10_000);

      receiver.handler = answer(200);
      const path = `/api/v1/webhooks/${webhook.id}`;
      expectStatus(await free.owner.api.put(path, { active: true }), 200);
      const { body } = await free.owner.api.post(`${path}/replay`, { from: '2020-01-01', status: 'failed' });
      expect(body.data.count).toBeGreaterThan(9990);
      await until(async () => (await pendingOf(webhook, free)) > 9000);
      const [{ id }] = (await createLinks(free, department, 1)).body.data;
      await until(() => receiver.received.some(({ payload }) => payload.data?.id === id));
      expect(await get(free, webhook)).toMatchObject({ active: true, disabled_reason: null });
      expectStatus(await free.owner.api.delete(path), 204);
    });

    it('are failed deliveries if it has become inactive', async () => {
      await insertPending(webhook, 10_000);
      const release = await holdEvents(holder, free);
      expectStatus(await createLinks(free, department, 1), 201);
      expectStatus(await free.owner.api.put(`/api/v1/webhooks/${webhook.id}`, { active: false }), 200);
      await release();
      await untilFannedOut(test.db, free);
      expect(await deliveriesOf(free, webhook.id, '?status=failed')).toMatchObject([
        { event: 'access_link.created', attempts: 0, error: 'the webhook is inactive' },
      ]);
      expect(await get(free, webhook)).toMatchObject({ active: false, disabled_reason: null });
      expectStatus(await free.owner.api.delete(`/api/v1/webhooks/${webhook.id}`), 204);
    });

    it('fail to the last, also those that another transaction has locked', async () => {
      await insertPending(webhook, 10_000);
      await holder.query('BEGIN');
      await holder.query('SELECT FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 5 FOR UPDATE', [
        webhook.id,
      ]);
      expectStatus(await createLinks(free, department, 1), 201);
      await until(async () => {
        const { rows } = await test.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%UPDATE webhook_deliveries%'`,
        );
        return rows.length > 0 || (await pendingOf(webhook, free)) <= 5;
      });
      await holder.query('COMMIT');
      await until(async () => (await pendingOf(webhook, free)) === 0);
      expectStatus(await free.owner.api.delete(`/api/v1/webhooks/${webhook.id}`), 204);
    });

    it('are sent after a pause of the installation, which does not disable it', async () => {
      const pause = test.get(InstallationPause);
      const gates = [test, second].map((app) => app.get(OutboundGate));
      await pause.pause();
      await until(() => gates.every(({ isPaused }) => isPaused));
      await insertPending(webhook, 10_000);
      const paused = (await createLinks(free, department, 3)).body.data;
      expect(await count('webhook_events', free)).toBe(3);
      await pause.resume();
      const [later] = (await createLinks(free, department, 1)).body.data;
      const ids = [...paused, later].map(({ id }) => id).toSorted();
      await receiver.waitForDeliveries(4);
      expect(receiver.received.map(({ payload }) => payload.data.id).toSorted()).toEqual(ids);
      expect(await get(free, webhook)).toMatchObject({ active: true });
      expectStatus(await free.owner.api.delete(`/api/v1/webhooks/${webhook.id}`), 204);
    });

    it('are 50,000 on the other plans', async () => {
      const paid = await TestTenant.register(test, 'basic');
      const other = await createWebhook(paid, receiver.url, ['access_link.created']);
      await insertPending(other, 10_000);
      const { id } = await paid.department();
      expectStatus(await createLinks(paid, { id }, 1), 201);
      await receiver.waitForDeliveries(1);
      expect(await get(paid, other)).toMatchObject({ active: true });
      const full = await createWebhook(paid, receiver.url, ['access_link.created']);
      await insertPending(full, 50_000);
      expectStatus(await createLinks(paid, { id }, 1), 201);
      await until(async () => (await get(paid, full)).disabled_reason === 'backlog');
      for (const one of [other, full])
        expectStatus(await paid.owner.api.delete(`/api/v1/webhooks/${one.id}`), 204);
    });

    it('are not counted with each event, but again after a hundred', async () => {
      // Each instance counts.
      const asleep = jest.spyOn(second.get(EventFanOut), 'wake').mockImplementation(() => {});
      await createLinks(free, department, 1);
      await receiver.waitForDeliveries(1);
      await insertPending(webhook, 10_000);
      await createLinks(free, department, 1);
      await receiver.waitForDeliveries(2);
      expect(await get(free, webhook)).toMatchObject({ active: true });
      await createLinks(free, department, 100);
      await until(async () => (await get(free, webhook)).disabled_reason === 'backlog');
      asleep.mockRestore();
      expectStatus(await free.owner.api.delete(`/api/v1/webhooks/${webhook.id}`), 204);
    });
  });

  it('do not make the results of attempts wait for a transaction that deletes deliveries of the webhook', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    await insertPending(webhook, 1);
    await holder.query('BEGIN');
    await holder.query('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [webhook.id]);
    try {
      await tenant.department();
      await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    } finally {
      await holder.query('ROLLBACK');
    }
  });

  it('do not keep a connection while another instance has the turn of their company', async () => {
    const others = [await TestTenant.register(test), await TestTenant.register(test)];
    const releases = [];
    for (const other of others) {
      await addWebhooks(other, 1);
      releases.push(await holdEvents(holder, other));
      await storeEvents(other, 1);
    }
    await createWebhook(tenant, receiver.url);
    for (let number = 1; number <= 5; number++) {
      await tenant.department();
      await until(async () => {
        const { rows } = await test.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
        );
        expect(rows).toEqual([]);
        return receiver.received.length === number;
      });
    }
    for (const release of releases) await release();
    for (const other of others) await untilFannedOut(test.db, other);
  });

  it('do not wait for the connections of their company', async () => {
    const asleep = jest.spyOn(second.get(EventFanOut), 'wake').mockImplementation(() => {});
    await addWebhooks(tenant, 1);
    const admission = test.get(PoolAdmission);
    const held: (() => void)[] = [];
    while (admission['places']['mayTake'](tenant.id, 'ordinary'))
      held.push(await admission.acquire(tenant.id));
    try {
      await storeEvents(tenant, 1);
      await untilFannedOut(test.db, tenant);
    } finally {
      for (const release of held) release();
      asleep.mockRestore();
    }
  });

  it('wait while their company is suspended', async () => {
    const webhook = await createWebhook(tenant, receiver.url);
    await suspend(tenant);
    await storeEvents(tenant, 3);
    const other = await TestTenant.register(test);
    await createWebhook(other, receiver.url);
    await other.department();
    await receiver.waitForDeliveries(1);
    // Later than the other's by its id, and made by the same task.
    await storeEvents(other, 1);
    await receiver.waitForDeliveries(2);
    expect(await count('webhook_events', tenant)).toBe(3);
    await suspend(tenant, 'NULL');
    await receiver.waitForDeliveries(5);
    expect(await deliveriesOf(tenant, webhook.id)).toHaveLength(3);
  });

  describe('that are stored while their deliveries are still to be made', () => {
    it('are exported, merged and erased with the customer', async () => {
      const webhook = await createWebhook(tenant, receiver.url, ['call.queued']);
      const { link } = await tenant.queue();
      const release = await holdEvents(holder, tenant);
      try {
        const calls = [
          await tenant.join(link, { name: 'Vera Cruz', email: 'vera@example.com' }),
          await tenant.join(link, { name: 'Vera C.', email: 'cruz@example.com' }),
        ];
        for (const { call_id } of calls) {
          expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`), 200);
        }
        const { body } = await tenant.owner.api.get('/api/v1/customers');
        const [primary, duplicate] = body.data;
        const merge = { primary_id: primary.id, duplicate_ids: [duplicate.id] };
        expectStatus(await tenant.owner.api.post('/api/v1/customers/merge', merge), 200);
        const exported = await tenant.owner.api.get(`/api/v1/customers/${primary.id}/export`);
        expect(exported.body.data.webhook_deliveries).toMatchObject([
          { id: null, event: 'call.queued', status: 'pending' },
          { id: null, event: 'call.queued', status: 'pending' },
        ]);
        const erased = await tenant.owner.api.post(`/api/v1/customers/${primary.id}/erase`);
        expectStatus(erased, 200);
        expect(erased.body.data.erased.webhook_deliveries).toBe(2);
      } finally {
        await release();
      }
      await untilFannedOut(test.db, tenant);
      expect(await deliveriesOf(tenant, webhook.id)).toEqual([]);
      expect(receiver.received).toEqual([]);
    });

    it('are not sent if the operator discards them', async () => {
      const webhook = await createWebhook(tenant, receiver.url);
      // Those of other tests are pending, too.
      await test.db.query('DELETE FROM webhook_deliveries');
      const release = await holdEvents(holder, tenant);
      await tenant.department();
      expect(await discardDeliveries(test.get(Database), new Date(Date.now() + 1000))).toBe(1);
      await release();
      const delivery = await until(async () => (await deliveriesOf(tenant, webhook.id, '?status=failed'))[0]);
      expect(delivery).toMatchObject({ attempts: 0, error: expect.stringMatching(/^discarded/) });
      expect(receiver.received).toEqual([]);
    });

    it('are dropped for a webhook that is deleted meanwhile', async () => {
      const deleted = await createWebhook(tenant, receiver.url);
      const kept = await createWebhook(tenant, receiver.url);
      const release = await holdEvents(holder, tenant);
      await tenant.department();
      expectStatus(await tenant.owner.api.delete(`/api/v1/webhooks/${deleted.id}`), 204);
      await release();
      await waitForDelivery(tenant, kept.id, { status: 'delivered' });
      expect(receiver.received).toHaveLength(1);
      await until(async () => (await count('webhooks', tenant)) === 1);
    });
  });
});
