import { DeliveryDispatcher } from '../../src/webhooks/deliveries/delivery-dispatcher';
import { expectStatus, TestTenant } from '../support/builders';
import {
  callbackRequested,
  callbackRow,
  callingQueue,
  cancelCallback,
  requestCallback,
  resume,
  tokenOf,
  untilCallback,
} from '../support/contexts/callbacks';
import { tablesContaining } from '../support/contexts/password-links';
import {
  createWebhook,
  deliveriesOf,
  holdEvents,
  untilFannedOut,
  waitForDelivery,
} from '../support/contexts/webhooks';
import { callRow } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { answer, delayedHandler, WebhookReceiver } from '../support/peers/webhook-receiver';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('callback.due', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let receiver: WebhookReceiver;
  let webhook: Json;
  let link: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => {
    // So that a retry does not come by itself.
    test.clock.stop();
    receiver = await WebhookReceiver.start();
    webhook = await createWebhook(tenant, receiver.url, ['callback.due', 'call.cancelled']);
    ({ link } = await callingQueue(tenant));
  });

  afterEach(async () => {
    test.clock.reset();
    await tenant.owner.api.delete(`/api/v1/webhooks/${webhook.id}`);
    await receiver.stop();
  });

  afterAll(() => test.close());

  /** A customer who is the first of the line, so that the company is informed at once. */
  async function customer(): Promise<Json> {
    const entry = await tenant.join(link as { token: string });
    await callbackRequested(test, entry, { channel: 'webhook' });
    return entry;
  }

  it('has the call and a link that brings the customer back', async () => {
    const entry = await customer();
    const [received] = await receiver.waitForDeliveries(1);
    const data = received?.payload.data;
    expect(received?.payload.type).toBe('callback.due');
    expect(data.call).toMatchObject({
      id: entry.call_id,
      status: 'queued',
      callback: { status: 'invited', invited_until: expect.stringMatching(/Z$/) },
    });
    expect(data.resume_url).toContain(`/c/${link.token}#resume=`);
    const resumed = await resume(test, tokenOf(data.resume_url));
    expectStatus(resumed, 200);
    expect(resumed.body.data.callback).toEqual({ status: 'returned', invited_until: null });
  });

  it('has no link in the log once it is delivered, nor anywhere else', async () => {
    await customer();
    const [received] = await receiver.waitForDeliveries(1);
    const token = tokenOf(received?.payload.data.resume_url);
    const delivery = await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    expect(delivery.payload.data.resume_url).toBeNull();
    expect(delivery.payload.data.call.callback.status).toBe('invited');
    expect(await tablesContaining(test, token)).toEqual([]);
  });

  it('has no link in the log of an endpoint that repeats what it receives', async () => {
    receiver.handler = (response, { body }) => void response.writeHead(200).end(body);
    await customer();
    const [received] = await receiver.waitForDeliveries(1);
    await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    expect(await tablesContaining(test, tokenOf(received?.payload.data.resume_url))).toEqual([]);
  });

  it('has no link in the log after the last attempt has failed', async () => {
    receiver.handler = answer(410);
    await customer();
    const delivery = await waitForDelivery(tenant, webhook.id, { status: 'failed' });
    expect(delivery.payload.data.resume_url).toBeNull();
  });

  it('has no link in the export of personal data, although it is still to be delivered', async () => {
    receiver.handler = answer(500);
    const entry = await customer();
    const pending = await waitForDelivery(tenant, webhook.id, { status: 'pending', attempts: 1 });
    const { customer_id } = await callRow(test, entry.call_id);
    const exported = await tenant.owner.api.get(`/api/v1/customers/${customer_id}/export`);
    expectStatus(exported, 200);
    const text = JSON.stringify(exported.body);
    expect(text).toContain('callback.due');
    expect(text).not.toContain(tokenOf(pending.payload.data.resume_url));
  });

  it('is not sent again without its link, neither by itself nor by a replay', async () => {
    await customer();
    await receiver.waitForDeliveries(1);
    const { id } = await waitForDelivery(tenant, webhook.id, { status: 'delivered' });
    const path = `/api/v1/webhooks/${webhook.id}`;
    expect(await tenant.owner.api.post(`${path}/deliveries/${id}/redeliver`)).toMatchObject({
      status: 422,
      body: { errors: { code: 'webhook_invitation' } },
    });
    const replayed = await tenant.owner.api.post(`${path}/replay`, { from: '2020-01-01T00:00:00Z' });
    expectStatus(replayed, 202);
    expect(replayed.body.data).toEqual({ count: 0 });
    expect(receiver.received).toHaveLength(1);
  });

  it('is not delivered any more when the customer has left', async () => {
    receiver.handler = answer(500);
    const entry = await customer();
    await waitForDelivery(tenant, webhook.id, { status: 'pending', attempts: 1 });
    receiver.handler = answer(200);
    expectStatus(await test.api.as(entry.websocket_token).post(`/api/v1/call/cancel/${entry.call_id}`), 200);
    test.clock.advance(10);
    await test.get(DeliveryDispatcher).dispatch();
    await receiver.waitForDeliveries(2);
    expect(receiver.received.map(({ payload }) => payload.type)).toEqual(['callback.due', 'call.cancelled']);
    const due = (await deliveriesOf(tenant, webhook.id)).find(({ event }) => event === 'callback.due');
    expect(due).toMatchObject({ status: 'failed', error: 'the customer is no longer invited' });
    expect(due?.payload.data.resume_url).toBeNull();
  });

  it('is not delivered either if the customer leaves before its delivery is made', async () => {
    const release = await holdEvents(test.db, tenant);
    const entry = await customer();
    await until(async () => {
      const stored = await test.db.query(
        `SELECT FROM webhook_events WHERE tenant_id = $1 AND event = 'callback.due'`,
        [tenant.id],
      );
      return stored.rows.length === 1;
    });
    expectStatus(await test.api.as(entry.websocket_token).post(`/api/v1/call/cancel/${entry.call_id}`), 200);
    await release();
    await untilFannedOut(test.db, tenant);
    const due = (await deliveriesOf(tenant, webhook.id)).find(({ event }) => event === 'callback.due');
    expect(due).toMatchObject({ status: 'failed', error: 'the customer is no longer invited', attempts: 0 });
    expect(due?.payload.data.resume_url).toBeNull();
  });

  it('is left alone while it is being delivered', async () => {
    const { handler, release } = delayedHandler();
    receiver.handler = handler;
    const entry = await customer();
    await receiver.waitForDeliveries(1);
    expect((await cancelCallback(test, entry)).status).toBe(204);
    release();
    await waitForDelivery(tenant, webhook.id, { event: 'callback.due', status: 'delivered' });
  });

  it('is repeated with each invitation, with the same link', async () => {
    const entry = await customer();
    const own = () => receiver.received.filter(({ payload }) => payload.data.call.id === entry.call_id);
    await until(() => own().length === 1);
    test.clock.advance(601);
    await untilCallback(test, entry.call_id, 'requested');
    test.clock.advance(901);
    await until(() => own().length === 2);
    const [first, second] = own();
    expect(second?.payload.data.resume_url).toBe(first?.payload.data.resume_url);
    expect(second?.id).not.toBe(first?.id);
  });

  it('is not counted as an invitation while nobody receives it', async () => {
    const first = await tenant.join(link as { token: string });
    const entry = await customer();
    expectStatus(await tenant.owner.api.put(`/api/v1/webhooks/${webhook.id}`, { active: false }), 200);
    await test.api.as(first.websocket_token).post(`/api/v1/call/cancel/${first.call_id}`);
    await until(async () => {
      const { next_attempt_at, requested_at } = await callbackRow(test, entry.call_id);
      return next_attempt_at?.getTime() !== requested_at.getTime();
    });
    expect(await callbackRow(test, entry.call_id)).toMatchObject({ attempts: 0, invited_at: null });
    expect(await callRow(test, entry.call_id)).toMatchObject({ callback_status: 'requested' });
    expectStatus(await tenant.owner.api.put(`/api/v1/webhooks/${webhook.id}`, { active: true }), 200);
    test.clock.advance(901);
    await untilCallback(test, entry.call_id, 'invited');
    await receiver.waitForDeliveries(1);
  });

  it.each([
    ['inactive', { active: false }],
    ['for other events', { events: ['call.queued'] }],
  ])('cannot be requested if the only webhook is %s', async (_, change) => {
    expectStatus(await tenant.owner.api.put(`/api/v1/webhooks/${webhook.id}`, change), 200);
    const entry = await tenant.join(link as { token: string });
    const refused = await requestCallback(test, entry, { channel: 'webhook' });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors.fields)).toEqual(['channel']);
  });
});
