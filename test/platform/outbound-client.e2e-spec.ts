import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  OutboundClient,
  type OutboundPolicy,
  type OutboundRequest,
  type OutboundResolvers,
} from '../../src/platform/outbound/outbound-client';
import { dnsResolver } from '../../src/platform/outbound/resolvers';
import { DnsPeer } from '../support/peers/dns-peer';
import { Loopback } from '../support/service/loopback';

const PUBLIC = '93.184.215.14';
const NOT_ALLOWED = { status: null, headers: {}, body: null, error: 'address not allowed' };
const POST: OutboundRequest = { method: 'POST', body: '{}' };

let loopback: Loopback;
let dns: DnsPeer;
/** What a server has seen, which answers 200 to everything. */
let seen: { message: IncomingMessage; body: string; at: string | undefined }[];
let port: number;

async function take(message: IncomingMessage, response: ServerResponse): Promise<void> {
  seen.push({ message, body: await text(message), at: message.socket.localAddress });
  response.end('taken');
}

const outbound = (policy: Partial<OutboundPolicy> = {}, resolvers: Partial<OutboundResolvers> = {}) =>
  new OutboundClient(
    { allowedPrivateHosts: [], timeoutMs: 15_000, maxBodyBytes: 1024, longerBody: 'truncate', ...policy },
    { public: dnsResolver([dns.address]), ...resolvers },
  );

beforeAll(async () => {
  loopback = new Loopback();
  dns = await DnsPeer.start();
  port = await loopback.http((message, response) => void take(message, response));
});

beforeEach(() => {
  seen = [];
});

afterAll(async () => {
  dns.stop();
  await loopback.stop();
});

describe('an allowed host', () => {
  it.each(['127.0.0.1', 'localhost'])('is reached over http: %s', async (host) => {
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
    const [{ message, body } = {}] = seen;
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

  it('is reached at the address that its name had, whatever it would have a moment later', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    await loopback.http((_request, response) => response.end('the other one'), '127.0.0.2', port);
    const resolvePrivate = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const client = outbound({ allowedPrivateHosts: ['hooks.test'] }, { private: resolvePrivate });
    const response = await client.request(`http://hooks.test:${port}/`, POST);
    expect(response).toMatchObject({ status: 200, body: Buffer.from('taken') });
    expect(seen.map(({ at }) => at)).toEqual(['127.0.0.1']);
    expect(answers).toEqual(['127.0.0.2']);
  });

  it('is reached at its other address if one refuses', async () => {
    const addresses = ['127.0.0.3', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const client = outbound({ allowedPrivateHosts: ['hooks.test'] }, { private: async () => addresses });
    const response = await client.request(`http://hooks.test:${port}/`, POST);
    expect(response).toMatchObject({ status: 200, error: null });
  });
});

describe('any other host', () => {
  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0'])(
    'is refused as it is written: %s',
    async (host) => {
      for (const scheme of ['http', 'https']) {
        expect(await outbound().request(`${scheme}://${host}:${port}/`, POST)).toMatchObject(NOT_ALLOWED);
      }
      expect(seen).toEqual([]);
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
  ])('is refused when its name leads to %s', async (what, addresses) => {
    let connections = 0;
    const tls = await loopback.tcp(() => connections++);
    const name = `${what.replaceAll(' ', '-')}.test`.toLowerCase();
    dns.knows(name, ...addresses);
    expect(await outbound().request(`https://${name}:${tls}/`, POST)).toMatchObject(NOT_ALLOWED);
    expect(connections).toBe(0);
    // Once for IPv4, once for IPv6.
    expect(dns.questions.get(name)).toBe(2);
  });

  it('is told apart from one that does not exist', async () => {
    const response = await outbound().request('https://nobody.test/', POST);
    expect(response).toMatchObject({ status: null, error: 'host name does not resolve' });
    expect(dns.questions.get('nobody.test')).toBeGreaterThan(0);
  });

  it('costs no more time than there is when nobody answers for its name', async () => {
    dns.ignores('silent.test');
    const response = await outbound({ timeoutMs: 300 }).request('https://silent.test/', POST);
    expect(response).toMatchObject({ status: null, error: 'no complete response within 0.3 s' });
    expect(response.durationMs).toBeLessThan(2000);
  });
});

it('a redirect to a private address is not followed', async () => {
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
  expect(seen).toEqual([]);
});
