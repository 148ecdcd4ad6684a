import { TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import { filled, longTexts, PAYLOADS } from '../support/fuzz/heavy-payloads';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { expectMeasuredDelays, loopDelayOf, MAX_LOOP_DELAY_MS } from '../support/service/loop-delay';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { RawSocket } from '../support/sockets/raw-socket';
import { startTestApp, type TestApp } from '../support/test-app';

const JWT_SECRET = 'known to both processes';
/** Separates the packets of a long-polling request (Engine.IO 4). */
const SEPARATOR = '\u001e';

let test: TestApp;
let service: ServiceProcess;
/** A user may connect 25 sockets at once, so several take turns. */
const tokens: string[] = [];
let connected = 0;
const dataDir = new DataDir();

beforeAll(async () => {
  await ensureBuilt();
  test = await startTestApp({ env: { JWT_SECRET } });
  const tenant = await TestTenant.register(test);
  for (const _ of oneTo(5)) tokens.push((await tenant.member()).token);
  service = await ServiceProcess.start(
    { DATABASE_URL: test.databaseUrl, DATA_DIR: dataDir.path, JWT_SECRET, SEED_DEMO: 'false' },
    { measuresLoopDelay: true },
  );
}, 120_000);

afterAll(async () => {
  await stopServices();
  await test.close();
  dataDir.remove();
});

/** Connects by long-polling. @returns the URL of the connection */
async function connectPolling(): Promise<string> {
  const url = `${service.url}/socket/websocket/?EIO=4&transport=polling`;
  const open = await (await fetch(url)).text();
  const sid = /"sid":"([^"]+)"/.exec(open)?.[1];
  if (!sid) throw new Error(`No session: ${open}`);
  const own = `${url}&sid=${sid}`;
  await post(own, `40${JSON.stringify({ token: tokens[connected++ % tokens.length] })}`);
  expect(await (await fetch(own)).text()).toMatch(/^40/);
  return own;
}

async function post(url: string, body: string): Promise<number> {
  const { status } = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body });
  return status;
}

const packets = (packet: string) => filled('', () => packet, '', SEPARATOR);

describe('the event loop of the service', () => {
  it('is measured', () => expectMeasuredDelays(service));

  it('is not blocked by a CONNECT packet with any payload', async () => {
    const slow: string[] = [];
    const credentials = longTexts(['token', 'websocket_token', 'session']);
    for (const [what, payload] of Object.entries({ ...PAYLOADS, ...credentials })) {
      const delay = await loopDelayOf(service, async () => {
        const socket = await RawSocket.open(service.url);
        await socket.authenticate(payload);
        socket.close();
      });
      if (delay > MAX_LOOP_DELAY_MS) slow.push(`${what}: ${Math.round(delay)} ms`);
    }
    expect(slow).toEqual([]);
  }, 120_000);

  it.each(Object.entries(PAYLOADS))(
    'is not blocked by a long-polling request with an event with %s',
    async (_what, payload) => {
      const delay = await loopDelayOf(service, async () => {
        expect(await post(await connectPolling(), `42["snapshot",${payload}]`)).toBeLessThan(500);
      });
      expect(delay).toBeLessThanOrEqual(MAX_LOOP_DELAY_MS);
    },
    120_000,
  );

  it.each(['2', '3', '6', '4', '7', '42["snapshot"]', '42["no_such_event",{}]', '430[]', '40/other,', 'b'])(
    'is not blocked by a long-polling request full of the packet %s',
    async (packet) => {
      const delay = await loopDelayOf(service, async () => {
        expect(await post(await connectPolling(), packets(packet))).toBeLessThan(500);
      });
      expect(delay).toBeLessThanOrEqual(MAX_LOOP_DELAY_MS);
    },
    120_000,
  );
});
