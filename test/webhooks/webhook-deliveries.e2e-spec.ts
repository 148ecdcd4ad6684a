import { DeliveryDispatcher } from '../../src/webhooks/deliveries/delivery-dispatcher';
import type { Json } from '../support/http/api';
import { TestTenant } from '../support/builders';
import { createWebhook, waitForDelivery } from '../support/contexts/webhooks';
import { answer, verifySignature, WebhookReceiver } from '../support/peers/webhook-receiver';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

// test/durability/webhook-deliveries.e2e-spec.ts has the longer ones: failures, crashes and redelivery.
describe('a webhook delivery', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let receiver: WebhookReceiver;
  let webhook: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => {
    // So that a retry does not come by itself.
    test.clock.stop();
    receiver = await WebhookReceiver.start();
    webhook = await createWebhook(tenant, receiver.url);
  });

  afterEach(async () => {
    test.clock.reset();
    await tenant.owner.api.delete(`/api/v1/webhooks/${webhook.id}`);
    await receiver.stop();
  });

  afterAll(() => test.close());

  it('is sent at once with a signature that verifies', async () => {
    const department = await tenant.department();
    const [received] = await receiver.waitForDeliveries(1);
    expect(verifySignature(received, webhook.secret)).toMatchObject({
      type: 'department.created',
      data: { id: department.id, name: department.name },
    });
    expect(() => verifySignature({ ...received, body: `${received?.body} ` }, webhook.secret)).toThrow();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered', attempts: 1, response_status: 200 });
  });

  it('is retried under the same id after a 500', async () => {
    receiver.handler = answer(500);
    await tenant.department();
    await waitForDelivery(tenant, webhook.id, { status: 'pending', attempts: 1, response_status: 500 });
    receiver.handler = answer(200);
    // The first retry is due after 5 s and at most a tenth more.
    test.clock.advance(6);
    await test.get(DeliveryDispatcher).dispatch();
    await waitForDelivery(tenant, webhook.id, { status: 'delivered', attempts: 2 });
    const [first, second, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(second?.id).toBe(first?.id);
    expect(verifySignature(second, webhook.secret)).toEqual(verifySignature(first, webhook.secret));
  });
});
