import * as fc from 'fast-check';
import { TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { PollingConnection } from '../support/sockets/polling-connection';
import { RawSocket } from '../support/sockets/raw-socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const JWT_SECRET = 'known to both processes';
const MAX_DELAY_MS = 50;
const ATTEMPTS = 3;
/** The interval at which the service measures its event loop; the measured values contain it. */
const RESOLUTION_MS = 10;
/** The largest message, less the head of the packet. */
const MAX_TEXT = 98_304 - 64;

const EVENTS = [
  'authenticate',
  'snapshot',
  'join_call',
  'leave_queue',
  'signal',
  'end_call',
  'set_presence',
  'watch_department',
  'unwatch_department',
  'no_such_event',
];

/** The text around a part of a payload, at most. */
const MAX_FRAME = 32;

/** Joins as many parts as fit into a message. */
function filled(open: string, part: (index: number) => string, close: string, separator = ','): string {
  const parts: string[] = [];
  for (let length = open.length + close.length; ;) {
    const next = part(parts.length);
    length += Buffer.byteLength(next) + separator.length;
    if (length > MAX_TEXT - MAX_FRAME) return open + parts.join(separator) + close;
    parts.push(next);
  }
}

const LEVELS = Math.floor(MAX_TEXT / 6) - 1;
const string = (character: string) => filled('"', () => character, '"', '');
const halfOf = (character: string) => character.repeat(Math.floor(45_000 / Buffer.byteLength(character)));
const members = filled('{', (index) => `"k${index}":0`, '}');

/** Payloads that are expensive for some way of reading them, as JSON text of the largest size. */
const PAYLOADS: Record<string, string> = {
  'many keys': members,
  'many keys in a description': `{"description":${filled('{"type":"offer",', (index) => `"k${index}":0`, '}')}}`,
  'many keys in a candidate': `{"candidate":${filled('{', (index) => `"k${index}":0`, '}')}}`,
  'one key many times': filled('{', () => '"a":0', '}'),
  'prototype keys': filled('{', () => '"__proto__":{}', '}'),
  'numeric keys': filled('{', (index) => `"${index * 7919}":0`, '}'),
  'many descriptions': `{"description":${filled('[', () => '{"type":"offer"}', ']')}}`,
  'deep objects': `${'{"a":'.repeat(LEVELS)}0${'}'.repeat(LEVELS)}`,
  'deep arrays': '['.repeat(MAX_TEXT / 2) + ']'.repeat(MAX_TEXT / 2),
  'a deep description': `{"description":${'{"a":'.repeat(LEVELS - 4)}0${'}'.repeat(LEVELS - 4)}}`,
  'a long list': filled('[', () => '0', ']'),
  'a list of objects': filled('[', () => '{}', ']'),
  'many arguments': filled('{}', () => ',{}', '', ''),
  'a long number': filled('', () => '9', '', ''),
  'a long description': `{"description":{"type":"offer","sdp":"${'x'.repeat(65_000)}"}}`,
  'a long escaped description': `{"description":{"type":"offer","sdp":"${'\\n'.repeat(32_000)}"}}`,
  'a long candidate': `{"candidate":{"candidate":"${'1 '.repeat(32_000)}"}}`,
  ...Object.fromEntries(
    [...'a-.0 é', '\\u0000', '\\\\'].flatMap((character) => [
      [`a string of ${character}`, string(character)],
      [
        `a token and a call_id of ${character}`,
        `{"token":"${halfOf(character)}","call_id":"${halfOf(character)}"}`,
      ],
    ]),
  ),
};

let test: TestApp;
let service: ServiceProcess;
const dataDir = new DataDir();
const tokens: string[] = [];
const sockets = new Map<string, RawSocket>();

beforeAll(async () => {
  await ensureBuilt();
  test = await startTestApp({ env: { JWT_SECRET } });
  const tenant = await TestTenant.register(test);
  const { department, link } = await tenant.queue({ max_queue_size: 100 });
  const agent = await tenant.member('attendant', [department.id]);
  const { call_id, websocket_token } = await tenant.join(link);
  service = await ServiceProcess.start({
    DATABASE_URL: test.databaseUrl,
    DATA_DIR: dataDir.path,
    JWT_SECRET,
    SEED_DEMO: 'false',
  });
  await agent.api.post(`/api/v1/calls/${call_id}/start`);
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

/** The longest delay of the event loop of the service, in ms, since the last call. */
async function longestDelay(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds ([\d.e-]+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`No delay among the metrics: ${text}`);
  return Number(seconds) * 1000 - RESOLUTION_MS;
}

/** The longest delay during `work`: the best of a few attempts, because the machine does other things as well. */
async function delayDuring(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let attempt = 1; attempt <= ATTEMPTS && best > MAX_DELAY_MS; attempt++) {
    await longestDelay();
    await work();
    best = Math.min(best, await longestDelay());
  }
  return best;
}

/** Sends an event, again after a pause while there are too many of them. */
async function send(token: string, items: string): Promise<void> {
  for (;;) {
    const ack = await (await socketOf(token)).send(items);
    if (!ack?.includes('"rate_limited"')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe('the event loop of the service', () => {
  it.each(Object.entries(PAYLOADS))(
    'is not blocked by an event with %s',
    async (_title, payload) => {
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_TEXT);
      const slow: [event: string, milliseconds: number][] = [];
      for (const event of EVENTS) {
        for (const token of tokens) {
          const delay = await delayDuring(() => send(token, `"${event}",${payload}`));
          if (delay > MAX_DELAY_MS) slow.push([event, delay]);
        }
      }
      expect(slow).toEqual([]);
    },
    120_000,
  );

  it('is not blocked by events with arbitrary payloads', async () => {
    const payload = fc.json({ maxDepth: 20, depthSize: 'max', stringUnit: 'binary' });
    const events = fc.tuple(fc.constantFrom(...tokens), fc.constantFrom(...EVENTS), payload);
    await fc.assert(
      fc.asyncProperty(events, async ([token, event, text]) => {
        const delay = await delayDuring(() => send(token, `"${event}",${text}`));
        expect(delay).toBeLessThanOrEqual(MAX_DELAY_MS);
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it.each(['42["snapshot"]', '42["no_such_event",{}]', '430[]', '40/other,', '451-["a"]'])(
    'is not blocked by 10,000 times the packet %s',
    async (packet) => {
      for (const token of tokens) {
        const delay = await delayDuring(async () => {
          const socket = await socketOf(token);
          for (const _ of oneTo(10_000)) socket.write(packet);
          await until(() => !socket.isOpen);
        });
        expect(delay).toBeLessThanOrEqual(MAX_DELAY_MS);
      }
    },
    120_000,
  );

  it.each(['3', '6', '430[]', '42["a"]'])(
    'is not blocked by a request of long-polling with as many packets %s as fit',
    async (packet) => {
      const packets = oneTo(Math.floor(MAX_TEXT / (packet.length + 1))).map(() => packet);
      const delay = await delayDuring(async () => {
        const connections = await Promise.all(oneTo(5).map(() => PollingConnection.open(service.url)));
        await Promise.all(connections.map((connection) => connection.send(packets)));
      });
      expect(delay).toBeLessThanOrEqual(MAX_DELAY_MS);
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
        const delay = await delayDuring(async () => {
          // A burst is accepted again four seconds after the last one.
          await new Promise((resolve) => setTimeout(resolve, 4100));
          const socket = await socketOf(token);
          await Promise.all(oneTo(200).map(() => socket.send(items)));
        });
        expect(delay).toBeLessThanOrEqual(MAX_DELAY_MS);
      }
    },
    120_000,
  );
});
