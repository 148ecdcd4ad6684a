import { type Member, TestTenant } from '../support/builders';
import { cloneDatabase, connectionPool, type TestConnection } from '../support/database/database';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { DELIVERED } from '../support/sockets/signals';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';

/** Full batches, so that the two sides of the call are the last one, long enough after the first for a signal on a busy machine. */
const WAITING_COUNT = 300;
/** Customers who join at the same time. */
const CONCURRENCY = 20;

const secrets = new DataDir();
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: TestConnection;
let service: ServiceProcess;
let tenant: TestTenant;
let agent: Member;
let link: { token: string };
const open: TestSocket[] = [];

beforeAll(async () => {
  await ensureBuilt();
  database = await cloneDatabase();
  db = connectionPool(database.url);
  service = await ServiceProcess.start({
    DATABASE_URL: database.url,
    DATA_DIR: secrets.path,
    PUBLIC_RATE_LIMIT: '10000',
  });
  tenant = await TestTenant.register({ url: service.url, api: service.api, db });
  const queue = await tenant.queue({ max_queue_size: WAITING_COUNT + 1 });
  link = queue.link;
  agent = await tenant.member('attendant', [queue.department.id]);
}, 120_000);

afterAll(async () => {
  for (const socket of open) socket.close();
  await stopServices();
  await db.end();
  await database.drop();
  secrets.remove();
});

async function connect(token: string): Promise<TestSocket> {
  const socket = await TestSocket.connect(service.url, token);
  open.push(socket);
  return socket;
}

/** An active call whose two sides reach each other. */
async function activeCall() {
  const { call_id, websocket_token } = await tenant.join(link);
  const [customer, staff] = [await connect(websocket_token), await connect(agent.token)];
  for (const step of ['assign', 'start']) {
    expect((await agent.api.post(`/api/v1/calls/${call_id}/${step}`)).status).toBe(200);
  }
  expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
  await until(async () => (await customer.send('signal', candidate('before'))).data?.delivered);
  expect(await staff.send('signal', { call_id, ...candidate('before') })).toEqual(DELIVERED);
  return { call_id, customer, staff };
}

async function waitingCustomers(): Promise<TestSocket[]> {
  const sockets: TestSocket[] = [];
  while (sockets.length < WAITING_COUNT) {
    const joins = Array.from({ length: CONCURRENCY }, async () => {
      const { websocket_token } = await tenant.join(link);
      return connect(websocket_token);
    });
    sockets.push(...(await Promise.all(joins)));
  }
  return sockets;
}

const candidate = (text: string) => ({ candidate: { candidate: text } });

it('a stop disconnects customers who wait over time, then a call, whose signals are relayed until then', async () => {
  const { call_id, customer, staff } = await activeCall();
  const waiting = await waitingCustomers();
  const closed: { who: string; atMs: number }[] = [];
  const record = (who: string, socket: TestSocket) =>
    socket.io.once('disconnect', () => {
      closed.push({ who, atMs: performance.now() });
      if (closed.length > 1) return;
      // Some clients are already on their way to another instance.
      customer.io.emit('signal', candidate('during'));
      staff.io.emit('signal', { call_id, ...candidate('during') });
    });
  record('call', customer);
  record('call', staff);
  for (const socket of waiting) record('waiting', socket);

  // The service knows both sides without asking the database, which is busy while it disconnects the others.
  await customer.send('signal', candidate('before'));
  await staff.send('signal', { call_id, ...candidate('before') });
  const stopped = service.stop();
  await until(() => closed.length === WAITING_COUNT + 2);

  expect(closed.map(({ who }) => who)).toEqual([...waiting.map(() => 'waiting'), 'call', 'call']);
  expect((closed.at(-1)?.atMs ?? 0) - (closed[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(100);
  for (const side of [customer, staff]) {
    expect(side.all('signal').map((signal) => signal.candidate.candidate)).toContain('during');
  }
  expect(await stopped).toEqual({ code: 0, signal: null });
});
