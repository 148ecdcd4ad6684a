import type { Api, Json } from '../support/http/api';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { delayedHandler, WebhookReceiver } from '../support/peers/webhook-receiver';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { until } from '../support/until';

/** Covers the time for which attempts of a killed process count as in progress, and the next check for due deliveries. */
const DELIVERY_TIMEOUT_MS = 30_000;

const dataDir = new DataDir();
let receiver: WebhookReceiver;

beforeAll(async () => {
  await ensureBuilt();
  receiver = await WebhookReceiver.start();
}, 120_000);

afterAll(async () => {
  await stopServices();
  await receiver.stop();
  dataDir.remove();
});

const start = (): Promise<ServiceProcess> =>
  ServiceProcess.start({ DATA_DIR: dataDir.path, WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' });

async function login({ api }: ServiceProcess): Promise<Api> {
  const account = { tenant: 'demo', email: 'manager@demo.example', password: 'demo-call-queue' };
  return api.as((await api.post('/api/auth/login', account)).body.access_token);
}

/** @returns the id of a call that has just been completed */
async function complete(service: ServiceProcess, staff: Api): Promise<string> {
  const link = /\/c\/(\S+)/.exec(service.output)?.[1] ?? '';
  const { call_id } = (await service.api.post(`/api/v1/call/${link}/join`, { name: 'Wanda' })).body.data;
  expect((await staff.post(`/api/v1/calls/${call_id}/complete`)).status).toBe(200);
  return call_id;
}

const deliveredCallIds = () => receiver.received.map(({ payload }) => payload.data.id);

it('a webhook receives every completed call although the process was killed before or during the delivery', async () => {
  const unanswered = delayedHandler();
  receiver.handler = unanswered.handler;
  const first = await start();
  const staff = await login(first);
  const wanted = { url: receiver.url, events: ['call.completed'] };
  const created = await staff.post('/api/v1/webhooks', wanted);
  expect(created.status).toBe(201);
  // Four deliveries are in progress because the receiver does not answer; the last two wait.
  const calls: string[] = [];
  for (let count = 0; count < 6; count++) calls.push(await complete(first, staff));
  await receiver.waitForDeliveries(4);
  await first.kill();
  expect(receiver.received).toHaveLength(4);

  receiver.handler = (response) => void response.end();
  const second = await start();
  const again = await login(second);
  const path = `/api/v1/webhooks/${created.body.data.id}/deliveries`;
  const delivered = await until(
    async () => {
      const { data } = (await again.get(`${path}?status=delivered`)).body;
      return data.length === 6 && (data as Json[]);
    },
    () => `${receiver.received.length} deliveries were received; the log says ${second.output}`,
    DELIVERY_TIMEOUT_MS,
  );
  expect(new Set(deliveredCallIds())).toEqual(new Set(calls));
  // Retries keep their ids, so a receiver can detect duplicates.
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(delivered.map(({ id }) => id)));
  unanswered.release();
  await second.stop();
}, 90_000);
