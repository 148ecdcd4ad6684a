import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  OutboundClient,
  type OutboundPolicy,
  type OutboundRequest,
  type OutboundResolvers,
} from '../../src/webhooks/outbound/outbound-client';
import { dnsResolver } from '../../src/webhooks/outbound/public-address';
import { DnsPeer } from '../support/peers/dns-peer';
import { Loopback } from '../support/service/loopback';

const PUBLIC = '93.184.215.14';
const NOT_ALLOWED = { status: null, headers: {}, body: null, error: 'address not allowed' };
const POST: OutboundRequest = { method: 'POST', body: '{}' };

let loopback: Loopback;
let dns: DnsPeer;
/** Requests that the server received. It answers all of them with 200. */
let received: { message: IncomingMessage; body: string; at: string | undefined }[];
let port: number;

async function handleRequest(message: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push({ message, body: await text(message), at: message.socket.localAddress });
  response.end('taken');
}

const outbound = (policy: Partial<OutboundPolicy> = {}, resolvers: Partial<OutboundResolvers> = {}) =>
  new OutboundClient(
    { allowedPrivateHosts: [], timeoutMs: 15_000, maxBodyBytes: 1024, ...policy },
    { public: dnsResolver([dns.address]), ...resolvers },
  );

beforeAll(async () => {
  loopback = new Loopback();
  dns = await DnsPeer.start();
  port = await loopback.http((message, response) => void handleRequest(message, response));
});

beforeEach(() => {
  received = [];
});

afterAll(async () => {
  dns.stop();
  await loopback.stop();
});

describe('an allowed host', () => {
  it.each(['127.0.0.1', 'localhost'])('is reached over HTTP: %s', async (host) => {
    const response = await outbound({ allowedPrivateHosts: [host] }).request(
      `http://${host}:${port}/hooks?a=1#b`,
      {
        method: 'POST',
        headers: {
          'webhook-id': 'msg_1',
          'content-type': 'application/json',
          'user-agent': 'x',
          'content-length': 1,
        },
        body: '{"name":"João"}',
      },
    );
    expect(response).toEqual({
      status: 200,
      headers: { date: expect.any(String), connection: 'close', 'content-length': '5' },
      body: Buffer.from('taken'),
      error: null,
      durationMs: expect.any(Number),
    });
    const [{ message, body } = {}] = received;
    expect(message).toMatchObject({ method: 'POST', url: '/hooks?a=1' });
    expect(message?.headers).toEqual({
      host: `${host}:${port}`,
      connection: 'close',
      'user-agent': expect.stringMatching(/^video-call-queue\/\d/),
      'content-type': 'application/json',
      'content-length': '16',
      'webhook-id': 'msg_1',
    });
    expect(body).toBe('{"name":"João"}');
  });

  it('is reached at the address that was checked, even if its name resolves differently afterwards', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    await loopback.http((_request, response) => response.end('the other one'), '127.0.0.2', port);
    const resolvePrivate = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const client = outbound({ allowedPrivateHosts: ['hooks.test'] }, { private: resolvePrivate });
    const response = await client.request(`http://hooks.test:${port}/`, POST);
    expect(response).toMatchObject({ status: 200, body: Buffer.from('taken') });
    expect(received.map(({ at }) => at)).toEqual(['127.0.0.1']);
    expect(answers).toEqual(['127.0.0.2']);
  });

  it('is reached at its next address when one refuses the connection', async () => {
    const addresses = ['127.0.0.3', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const client = outbound({ allowedPrivateHosts: ['hooks.test'] }, { private: async () => addresses });
    const response = await client.request(`http://hooks.test:${port}/`, POST);
    expect(response).toMatchObject({ status: 200, error: null });
  });
});

describe('any other host', () => {
  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0'])(
    'is rejected when the URL names it directly: %s',
    async (host) => {
      for (const scheme of ['http', 'https']) {
        expect(await outbound().request(`${scheme}://${host}:${port}/`, POST)).toMatchObject(NOT_ALLOWED);
      }
      expect(received).toEqual([]);
    },
  );

  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['loopback in IPv6', ['::1']],
    ['a mapped address', ['::ffff:7f00:1']],
    ['metadata of a cloud', ['169.254.169.254']],
    ['a public address and a private one', [PUBLIC, '127.0.0.1']],
    ['a public address and a private one in IPv6', [PUBLIC, 'fd00::1']],
  ])('is rejected when its name resolves to %s', async (what, addresses) => {
    let connections = 0;
    const tls = await loopback.tcp(() => connections++);
    const name = `${what.replaceAll(' ', '-')}.test`.toLowerCase();
    dns.addName(name, ...addresses);
    expect(await outbound().request(`https://${name}:${tls}/`, POST)).toMatchObject(NOT_ALLOWED);
    expect(connections).toBe(0);
    // One query for IPv4 and one for IPv6.
    expect(dns.questions.get(name)).toBe(2);
  });

  it('is reported as unresolvable when it does not exist', async () => {
    const response = await outbound().request('https://nobody.test/', POST);
    expect(response).toMatchObject({ status: null, error: 'host name does not resolve' });
    expect(dns.questions.get('nobody.test')).toBeGreaterThan(0);
  });

  it('times out when the DNS server does not answer', async () => {
    dns.ignoreName('silent.test');
    const response = await outbound({ timeoutMs: 300 }).request('https://silent.test/', POST);
    expect(response).toMatchObject({ status: null, error: 'no complete response within 0.3 s' });
    expect(response.durationMs).toBeLessThan(10_000);
  });
});

it('does not follow a redirect to a private address', async () => {
  const redirecting = await loopback.http((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/secret` }).end('over there');
  });
  const response = await outbound({ allowedPrivateHosts: ['127.0.0.1'] }).request(
    `http://127.0.0.1:${redirecting}/`,
    POST,
  );
  expect(response).toMatchObject({
    status: 307,
    body: Buffer.from('over there'),
    error: 'redirects are not followed',
  });
  expect(received).toEqual([]);
});
