import type { Api, Json } from '../support/http/api';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { held, Receiver } from '../support/peers/webhook-receiver';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { until } from '../support/until';

/** For how long the tries of a process that was killed count as under way, and a look at what is due. */
const LONGEST_MS = 30_000;

const dataDir = new DataDir();
let receiver: Receiver;

beforeAll(async () => {
  await ensureBuilt();
  receiver = await Receiver.start();
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
  const link = /\/call\/(\S+)/.exec(service.output)?.[1] ?? '';
  const { call_id } = (await service.api.post(`/api/v1/call/${link}/join`, { name: 'Wanda' })).body.data;
  expect((await staff.post(`/api/v1/calls/${call_id}/complete`)).status).toBe(200);
  return call_id;
}

const toldOf = () => receiver.received.map(({ payload }) => payload.data.id);

it('a webhook is told of every completed call, although the process was killed before, or while, it was', async () => {
  const never = held();
  receiver.treatment = never.treatment;
  const first = await start();
  const staff = await login(first);
  const wanted = { url: receiver.url, events: ['call.completed'] };
  const created = await staff.post('/api/v1/webhooks', wanted);
  expect(created.status).toBe(201);
  // Four are under way, the receiver does not answer, and the last two wait for their turn.
  const calls: string[] = [];
  for (let count = 0; count < 6; count++) calls.push(await complete(first, staff));
  await receiver.has(4);
  await first.kill();
  expect(receiver.received).toHaveLength(4);

  receiver.treatment = (response) => void response.end();
  const second = await start();
  const again = await login(second);
  const path = `/api/v1/webhooks/${created.body.data.id}/deliveries`;
  const delivered = await until(
    async () => {
      const { data } = (await again.get(`${path}?status=delivered`)).body;
      return data.length === 6 && (data as Json[]);
    },
    () => `told of ${receiver.received.length} calls; the log says ${second.output}`,
    LONGEST_MS,
  );
  expect(new Set(toldOf())).toEqual(new Set(calls));
  // The same ids both times: a receiver that had taken one knows it again.
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(delivered.map(({ id }) => id)));
  never.release();
  await second.stop();
}, 90_000);
