import { request } from 'node:http';
import { io } from 'socket.io-client';
import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { DELIVERED } from '../support/sockets/signals';

type Options = NonNullable<Parameters<typeof io>[1]>;

describe('a standard client', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  let agent: Member;
  const opened: ReturnType<typeof io>[] = [];

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    const { department, link: queueLink } = await tenant.queue({ max_queue_size: 100 });
    link = queueLink;
    agent = await tenant.member('attendant', [department.id]);
  });

  afterEach(() => {
    for (const socket of opened.splice(0)) socket.disconnect();
  });

  afterAll(() => test.close());

  /** Connects and waits for the first snapshot. @throws the connect_error */
  async function connect(url: string, options: Options) {
    const socket = io(url, { forceNew: true, reconnection: false, ...options });
    opened.push(socket);
    const snapshot = await new Promise<Json>((resolve, reject) => {
      socket.once('snapshot', resolve);
      socket.once('connect_error', reject);
    });
    return { socket, snapshot };
  }

  /** The websocket_url of the join at the address where the test's application listens. */
  function addressOf({ websocket_url }: Json): string {
    const { pathname } = new URL(websocket_url);
    return `${test.url.replace(/^http/, 'ws')}${pathname}`;
  }

  const places: [string, (token: string) => Options][] = [
    ['auth.token', (token) => ({ auth: { token } })],
    ['auth.websocket_token', (token) => ({ auth: { websocket_token: token } })],
    ['a query parameter', (token) => ({ query: { token } })],
    ['a Bearer header', (token) => ({ extraHeaders: { Authorization: `Bearer ${token}` } })],
  ];

  describe.each(['websocket', 'polling'] as const)('over %s', (transport) => {
    it.each(places)('connects to websocket_url with the token in %s', async (_place, withToken) => {
      const entry = await tenant.join(link);
      const options = { transports: [transport], ...withToken(entry.websocket_token) };
      const { socket, snapshot } = await connect(addressOf(entry), options);
      expect(snapshot).toMatchObject({ call_id: entry.call_id, status: 'queued' });
      const ack: Json = await socket.timeout(5000).emitWithAck('snapshot');
      expect(ack).toMatchObject({ ok: true, data: { call_id: entry.call_id } });
    });

    it.each(places)('connects at the documented path with the token in %s', async (_place, withToken) => {
      const options = { path: '/socket/websocket', transports: [transport], ...withToken(agent.token) };
      const { snapshot } = await connect(test.url, options);
      expect(snapshot).toMatchObject({ presence: expect.any(String) });
    });

    it.each([
      ['/socket/websocket', '/socket/websocket'],
      ['/', '/socket.io'],
    ])('connects to the namespace %s at the path %s', async (namespace, path) => {
      const url = test.url + (namespace === '/' ? '' : namespace);
      const options = { path, transports: [transport], auth: { token: agent.token } };
      expect((await connect(url, options)).snapshot).toMatchObject({ queues: expect.any(Array) });
    });
  });

  it('receives the events of other sockets and has its signals relayed', async () => {
    const entry = await tenant.join(link);
    const { socket: customer } = await connect(addressOf(entry), { auth: { token: entry.websocket_token } });
    const assigned = new Promise<Json>((resolve) => customer.once('call_assigned', resolve));
    await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`);
    expect(await assigned).toMatchObject({ call_id: entry.call_id, agent: { name: agent.name } });

    const { socket: staff } = await connect(test.url, {
      path: '/socket/websocket',
      auth: { token: agent.token },
    });
    await staff.emitWithAck('join_call', { call_id: entry.call_id });
    const signal = new Promise<Json>((resolve) => staff.once('signal', resolve));
    const description = { type: 'offer', sdp: 'v=0\r\n' };
    expect(await customer.emitWithAck('signal', { description })).toEqual(DELIVERED);
    expect(await signal).toMatchObject({ from: 'customer', description });
  });

  it('gets the code of a refused token', async () => {
    const attempt = connect(`${test.url}/socket/websocket`, { auth: { token: 'garbage' } });
    await expect(attempt).rejects.toMatchObject({ data: { code: 'token_invalid' } });
  });

  it('is refused in another namespace', async () => {
    const attempt = connect(`${test.url}/other`, { auth: { token: agent.token } });
    await expect(attempt).rejects.toThrow('Invalid namespace');
  });

  it('gets 400 and a sentence for a plain WebSocket at another address', async () => {
    const { status, text } = await upgrade('/other');
    expect(status).toBe(400);
    expect(text).toMatch(/^This address speaks Socket\.IO 4, .+\.\n$/);
  });

  it.each(['/socket/websocket', '/socket/websocket/', '/socket.io/', '/socket/websocket?token=x'])(
    'gets 400 for a plain WebSocket at %s',
    async (path) => {
      expect(await upgrade(path)).toEqual({
        status: 400,
        text: expect.stringContaining('Transport unknown'),
      });
    },
  );

  it('is served over HTTP/1.1 if it offers HTTP/2 with an upgrade', async () => {
    const { status } = await upgrade('/healthz', { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c' });
    expect(status).toBe(200);
  });

  /** Requests a WebSocket without Engine.IO, which the service must refuse. */
  function upgrade(
    path: string,
    other: Record<string, string> = {},
  ): Promise<{ status: number | undefined; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...other,
      };
      request(test.url + path, { headers })
        .on('response', (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode, text }));
        })
        .on('upgrade', () => reject(new Error('The service accepted the upgrade.')))
        .on('error', reject)
        .end();
    });
  }
});
