import { PASSWORD, TestTenant } from '../../support/builders';
import type { Json } from '../../support/http/api';
import { ProxiedClient } from '../../support/http/proxied-client';
import { BOUNDARY, PART_END, PART_HEAD } from '../../support/http/raw-upload';
import { hasProxy } from '../../support/peers/proxy-process';
import { shippedProxies } from '../../support/peers/shipped-proxies';
import { StorageFolder } from '../../support/service/storage-folder';
import type { TestSocket } from '../../support/sockets/socket';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const METRICS_TOKEN = 'a token of thirty-two characters';
const MIB = 1024 * 1024;

const storage = new StorageFolder();
/** Two instances without Redis: neither knows the connections of the other. */
const instances: TestApp[] = [];
const clients = new Map<string, ProxiedClient>();
const idle = new Map<string, { socket: TestSocket; pings: number }>();
let tenant: TestTenant;
let link: Json;

const programs = shippedProxies(() => instances.map(({ url }) => Number(new URL(url).port))).filter(hasProxy);

beforeAll(async () => {
  const env = { ...storage.env, TRUST_PROXY: '1', METRICS_TOKEN };
  const first = await startTestApp({ env });
  instances.push(first, await startTestApp({ env, databaseUrl: first.databaseUrl }));
  tenant = await TestTenant.register(first);
  ({ link } = await tenant.queue());
  // All at once, because the first ping comes after 8 s.
  await Promise.all(
    programs.map(async (program) => {
      const client = await ProxiedClient.start(program);
      clients.set(program.program, client);
      const socket = await client.connect(tenant.owner.token);
      const state = { socket, pings: 0 };
      socket.io.io.on('ping', () => state.pings++);
      idle.set(program.program, state);
    }),
  );
});

afterAll(async () => {
  for (const client of clients.values()) await client.stop();
  for (const instance of instances.toReversed()) await instance.close();
  storage.remove();
});

describe.each(programs)('$program with the configuration in deploy/', ({ program }) => {
  let client: ProxiedClient;

  beforeAll(() => {
    const started = clients.get(program);
    if (!started) throw new Error(`${program} has not started.`);
    client = started;
  });

  /** Uploads the beginning of a form, or all of it. */
  async function upload(body: Buffer, length?: number) {
    const { call_id } = await tenant.join(link);
    return client.send(`/api/v1/calls/${call_id}/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.owner.token}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': length ?? body.length,
      },
      body,
      isUnfinished: length !== undefined,
    });
  }

  it('tells the service the address of the client, which a client cannot choose', async () => {
    const { status } = await client.send('/api/auth/login', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      },
      body: JSON.stringify({ tenant: tenant.slug, email: tenant.owner.email, password: PASSWORD }),
    });
    expect(status).toBe(200);
    const { body } = await tenant.owner.api.get('/api/v1/audit-log');
    expect(body.data[0].address).toBe(client.address);
  });

  it('does not show the metrics, not even with their token', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    for (const path of ['/metrics', '/metrics/', '/METRICS']) {
      expect((await fetch(instances[0]?.url + path, { headers })).status).toBe(200);
      expect((await client.send(path, { headers })).status).toBe(404);
    }
    expect((await client.send('/metrics?name=up', { headers })).status).toBe(404);
  });

  it('passes on a large upload', async () => {
    const form = Buffer.concat([Buffer.from(PART_HEAD), Buffer.alloc(20 * MIB, 7), Buffer.from(PART_END)]);
    const { status, content } = await upload(form);
    expect([status, JSON.parse(content).data?.size]).toEqual([201, 20 * MIB]);
  });

  it('passes on an upload while it arrives', async () => {
    // The service refuses it by its length. A proxy that waits for the whole body would not have asked the service yet.
    const { status, content } = await upload(Buffer.from(PART_HEAD), 30 * MIB);
    expect([status, JSON.parse(content).errors.code]).toEqual([413, 'payload_too_large']);
  });

  it('leads all requests of a long-polling connection to the same instance', async () => {
    for (const localAddress of ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7']) {
      const socket = await client.connect(tenant.owner.token, {
        localAddress,
        transports: ['polling', 'websocket'],
      } as object);
      await until(() => socket.io.io.engine.transport.name === 'websocket');
      expect(await socket.send('snapshot')).toMatchObject({ ok: true });
    }
  });

  it('keeps an idle WebSocket, over which events are sent in both directions', async () => {
    const state = idle.get(program);
    await until(() => state && state.pings > 0);
    for (const presence of ['away', 'online']) {
      const count = state?.socket.all('presence_changed').length ?? 0;
      expect(await state?.socket.send('set_presence', { presence })).toMatchObject({ ok: true });
      await until(() => (state?.socket.all('presence_changed').length ?? 0) > count);
    }
  });
});
