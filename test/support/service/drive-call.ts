import { expectStatus, TestTenant } from '../builders';
import { deliver, expectAccepted, GATEWAY_ENV, notification } from '../peers/payment-gateway';
import { verifySignature, WebhookReceiver } from '../peers/webhook-receiver';
import { DELIVERED } from '../sockets/signals';
import { TestSocket } from '../sockets/socket';
import type { RemoteService } from '../tested-service';
import { until } from '../until';

/** Allows the webhook of `driveCall`, and the payment of its company. */
export const DRIVE_CALL_ENV = { WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', ...GATEWAY_ENV };

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

interface Places {
  /** The instance of the company's staff, and that of the customer. */
  staffAt: RemoteService;
  customerAt: RemoteService;
}

/** Registers a company that pays for its plan. */
async function payingTenant(service: RemoteService): Promise<TestTenant> {
  const tenant = await TestTenant.signUp(service, 'enterprise', async (id) =>
    expectAccepted(await deliver(service, notification(id, 'PAYMENT_CONFIRMED', { at: new Date() }))),
  );
  await until(
    async () => {
      const plan = await tenant.owner.api.get('/api/v1/billing/plan');
      expectStatus(plan, 200);
      return plan.body.data.status === 'active';
    },
    () => 'the payment had no effect',
  );
  return tenant;
}

/**
 * Drives the service from outside, from the signup and payment of a company to a rating that a webhook reports.
 * @throws Error at the first step that does not work
 */
export async function driveCall({ staffAt, customerAt }: Places): Promise<void> {
  const receiver = await WebhookReceiver.start();
  const sockets: TestSocket[] = [];
  const connect = async ({ url }: RemoteService, token: string): Promise<TestSocket> => {
    const socket = await TestSocket.connect(url, token);
    sockets.push(socket);
    return socket;
  };
  try {
    const tenant = await payingTenant(staffAt);
    const hook = await tenant.owner.api.post('/api/v1/webhooks', {
      url: receiver.url,
      events: ['call.rated'],
    });
    expectStatus(hook, 201);
    const { department, link } = await tenant.queue();
    const agent = await tenant.member('attendant', [department.id]);
    const staff = await connect(staffAt, agent.token);

    const joined = await customerAt.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio' });
    expectStatus(joined, 200);
    const { call_id, websocket_token: token } = joined.body.data;
    const customer = await connect(customerAt, token);
    for (const step of ['assign', 'start']) {
      expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/${step}`), 200);
    }
    await customer.waitFor('call_started');
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    // A page of the customer is ready some time after the call has started.
    await until(
      async () => (await customer.send('signal', OFFER)).data?.delivered === DELIVERED.data.delivered,
      () => 'a signal was not delivered',
    );
    await staff.waitFor('signal', ({ from }) => from === 'customer');
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    await customer.waitFor('call_ended');
    const rating = { rating: 5, comment: 'Obrigado' };
    expectStatus(await customerAt.api.post(`/api/v1/call/evaluate/${call_id}`, rating, { token }), 200);

    const [delivery] = await receiver.waitForDeliveries(1);
    if (!delivery) throw new Error('no delivery');
    expect(verifySignature(delivery, hook.body.data.secret)).toMatchObject({
      type: 'call.rated',
      data: { rating: 5 },
    });
  } finally {
    for (const socket of sockets) socket.close();
    await receiver.stop();
  }
}
