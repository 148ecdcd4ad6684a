import * as fc from 'fast-check';
import { TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import { type GatewayEvent, gatewayEvents } from '../support/fuzz/gateway-events';
import { longTexts, MAX_TEXT, members, PAYLOADS, string } from '../support/fuzz/heavy-payloads';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { expectMeasuredDelays, loopDelayOf, MAX_LOOP_DELAY_MS } from '../support/service/loop-delay';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { PollingConnection } from '../support/sockets/polling-connection';
import { RawSocket } from '../support/sockets/raw-socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const JWT_SECRET = 'known to both processes';
const ENDINGS = ['leave_queue', 'end_call'];
/** Those that end the call come last, so that the others find it active. */
const EVENTS: GatewayEvent[] = [...gatewayEvents(), { name: 'no_such_event', fields: ['call_id'] }].toSorted(
  (one, other) => ENDINGS.indexOf(one.name) - ENDINGS.indexOf(other.name),
);

let test: TestApp;
let service: ServiceProcess;
const dataDir = new DataDir();
const tokens: string[] = [];
let callId: string;
const sockets = new Map<string, RawSocket>();

beforeAll(async () => {
  await ensureBuilt();
  test = await startTestApp({ env: { JWT_SECRET } });
  const tenant = await TestTenant.register(test);
  const { department, link } = await tenant.queue({ max_queue_size: 100 });
  const agent = await tenant.member('attendant', [department.id]);
  const { call_id, websocket_token } = await tenant.join(link);
  service = await ServiceProcess.start(
    { DATABASE_URL: test.databaseUrl, DATA_DIR: dataDir.path, JWT_SECRET, SEED_DEMO: 'false' },
    { measuresLoopDelay: true },
  );
  await agent.api.post(`/api/v1/calls/${call_id}/start`);
  callId = call_id;
  tokens.push(websocket_token, agent.token);
}, 120_000);

afterAll(async () => {
  for (const socket of sockets.values()) socket.close();
  await stopServices();
  await test.close();
  dataDir.remove();
});

/** The open socket of this token. The service closes it after some packets. */
async function socketOf(token: string): Promise<RawSocket> {
  const open = sockets.get(token);
  if (open?.isOpen) return open;
  const socket = await RawSocket.connect(service.url, token);
  sockets.set(token, socket);
  return socket;
}

/** Sends an event, again after a pause while there are too many of them. */
async function send(token: string, items: string): Promise<void> {
  for (;;) {
    const ack = await (await socketOf(token)).send(items);
    if (!ack?.includes('"rate_limited"')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Sends the event with each of the payloads. */
async function expectShortDelays(event: string, payloads: Record<string, string>): Promise<void> {
  const slow: string[] = [];
  for (const [what, payload] of Object.entries(payloads)) {
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_TEXT);
    for (const token of tokens) {
      const delay = await loopDelayOf(service, () => send(token, `"${event}",${payload}`));
      if (delay > MAX_LOOP_DELAY_MS) slow.push(`${what}: ${Math.round(delay)} ms`);
    }
  }
  expect(slow).toEqual([]);
}

describe('the event loop of the service', () => {
  it('is measured, with every event', async () => {
    expect(EVENTS.length).toBeGreaterThan(20);
    expect(EVENTS.find(({ name }) => name === 'request_callback')?.fields).toEqual(['channel', 'email']);
    await expectMeasuredDelays(service);
  });

  // Before the events, the last of which end the call.
  it('is not blocked by the snapshots of a call with the longest chat', async () => {
    // Two bytes each in JSON.
    await test.db.query(
      `WITH messages AS (
         INSERT INTO chat_messages (tenant_id, call_id, number, text, sent_at)
         SELECT tenant_id, id, n, repeat('"', 2000), now() FROM calls, generate_series(1, 200) AS n WHERE id = $1)
       UPDATE calls SET chat_message_count = 200 WHERE id = $1`,
      [callId],
    );
    for (const [token, event] of [
      [tokens[0], '"snapshot"'],
      [tokens[1], `"join_call",{"call_id":"${callId}"}`],
    ] as const) {
      if (!token) throw new Error('There is no token');
      const delay = await loopDelayOf(service, async () => {
        const socket = await socketOf(token);
        const answers = await Promise.all(oneTo(20).map(() => socket.send(event)));
        expect(answers[0]?.length).toBeGreaterThan(800_000);
      });
      expect(delay).toBeLessThanOrEqual(MAX_LOOP_DELAY_MS);
    }
    await test.db.query(
      'WITH gone AS (DELETE FROM chat_messages WHERE call_id = $1) UPDATE calls SET chat_message_count = 0 WHERE id = $1',
      [callId],
    );
  }, 120_000);

  it.each(EVENTS.map(({ name, fields }) => [name, fields] as const))(
    'is not blocked by %s with any payload',
    async (event, fields) => {
      await expectShortDelays(event, { ...PAYLOADS, ...(fields.length > 0 ? longTexts(fields) : {}) });
    },
    180_000,
  );

  it('is not blocked by events with arbitrary payloads', async () => {
    const payload = fc.json({ maxDepth: 20, depthSize: 'max', stringUnit: 'binary' });
    const events = fc.tuple(
      fc.constantFrom(...tokens),
      fc.constantFrom(...EVENTS.map(({ name }) => name)),
      payload,
    );
    await fc.assert(
      fc.asyncProperty(events, async ([token, event, text]) => {
        const delay = await loopDelayOf(service, () => send(token, `"${event}",${text}`));
        expect(delay).toBeLessThanOrEqual(MAX_LOOP_DELAY_MS);
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it.each(['42["snapshot"]', '42["no_such_event",{}]', '430[]', '40/other,', '451-["a"]', '3'])(
    'is not blocked by 10,000 times the packet %s',
    async (packet) => {
      for (const token of tokens) {
        const delay = await loopDelayOf(service, async () => {
          const socket = await socketOf(token);
          for (const _ of oneTo(10_000)) socket.write(packet);
          await until(() => !socket.isOpen);
        });
        expect(delay).toBeLessThanOrEqual(MAX_LOOP_DELAY_MS);
      }
    },
    120_000,
  );

  it.each(['3', '6', '430[]', '42["a"]'])(
    'is not blocked by a request of long-polling with as many packets %s as fit',
    async (packet) => {
      const packets = oneTo(Math.floor(MAX_TEXT / (packet.length + 1))).map(() => packet);
      const delay = await loopDelayOf(service, async () => {
        const connections = await Promise.all(oneTo(5).map(() => PollingConnection.open(service.url)));
        await Promise.all(connections.map((connection) => connection.send(packets)));
      });
      expect(delay).toBeLessThanOrEqual(MAX_LOOP_DELAY_MS);
    },
    120_000,
  );

  it.each<[string, string]>([
    ['an event name of the largest size', string('a')],
    [
      '200 signals of 60 kB at once',
      `"signal",{"description":{"type":"offer","sdp":"${'x'.repeat(60_000)}"}}`,
    ],
    ['200 snapshots at once', '"snapshot"'],
    ['200 unknown events with many keys at once', `"no_such_event",${members}`],
  ])(
    'is not blocked by %s',
    async (_title, items) => {
      for (const token of tokens) {
        const delay = await loopDelayOf(service, async () => {
          // A burst is accepted again four seconds after the last one.
          await new Promise((resolve) => setTimeout(resolve, 4100));
          const socket = await socketOf(token);
          await Promise.all(oneTo(200).map(() => socket.send(items)));
        });
        expect(delay).toBeLessThanOrEqual(MAX_LOOP_DELAY_MS);
      }
    },
    120_000,
  );
});
