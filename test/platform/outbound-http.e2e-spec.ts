import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { OutboundHttp, type OutboundOptions } from '../../src/platform/outbound/outbound-http';
import { resolverByDns } from '../../src/platform/outbound/resolvers';
import { DnsPeer } from '../support/peers/dns-peer';
import { Loopback } from '../support/service/loopback';

const PUBLIC = '93.184.215.14';
const NOT_ALLOWED = { response_status: null, response_body: null, error: 'address not allowed' };

let loopback: Loopback;
let dns: DnsPeer;
/** What a server has seen, which answers 200 to everything. */
let seen: { message: IncomingMessage; body: string; at: string | undefined }[];
let port: number;

async function take(message: IncomingMessage, response: ServerResponse): Promise<void> {
  seen.push({ message, body: await text(message), at: message.socket.localAddress });
  response.end('taken');
}

const outbound = (options: Partial<OutboundOptions> = {}) =>
  new OutboundHttp({ allowedPrivateHosts: [], resolvePublic: resolverByDns([dns.address]), ...options });

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
    const outcome = await outbound({ allowedPrivateHosts: [host] }).post(
      `http://${host}:${port}/hooks?a=1#b`,
      '{"name":"João"}',
      { 'webhook-id': 'msg_1', 'content-type': 'text/plain' },
    );
    expect(outcome).toEqual({
      response_status: 200,
      response_body: 'taken',
      retry_after: null,
      error: null,
      duration_ms: expect.any(Number),
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
    const rebound = outbound({ allowedPrivateHosts: ['hooks.test'], resolvePrivate });
    const outcome = await rebound.post(`http://hooks.test:${port}/`, '{}', {});
    expect(outcome).toMatchObject({ response_status: 200, response_body: 'taken' });
    expect(seen.map(({ at }) => at)).toEqual(['127.0.0.1']);
    expect(answers).toEqual(['127.0.0.2']);
  });

  it('is reached at its other address if one refuses', async () => {
    const addresses = ['127.0.0.3', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const resolvePrivate = async () => addresses;
    const either = outbound({ allowedPrivateHosts: ['hooks.test'], resolvePrivate });
    const outcome = await either.post(`http://hooks.test:${port}/`, '{}', {});
    expect(outcome).toMatchObject({ response_status: 200, error: null });
  });
});

describe('any other host', () => {
  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0'])(
    'is refused as it is written: %s',
    async (host) => {
      for (const scheme of ['http', 'https']) {
        expect(await outbound().post(`${scheme}://${host}:${port}/`, '{}', {})).toMatchObject(NOT_ALLOWED);
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
    expect(await outbound().post(`https://${name}:${tls}/`, '{}', {})).toMatchObject(NOT_ALLOWED);
    expect(connections).toBe(0);
    // Once for IPv4, once for IPv6.
    expect(dns.questions.get(name)).toBe(2);
  });

  it('is told apart from one that does not exist', async () => {
    const outcome = await outbound().post('https://nobody.test/', '{}', {});
    expect(outcome).toMatchObject({ response_status: null, error: 'name does not resolve' });
    expect(dns.questions.get('nobody.test')).toBeGreaterThan(0);
  });

  it('costs no more time than there is when nobody answers for its name', async () => {
    dns.ignores('silent.test');
    const outcome = await outbound({ limitMs: 300 }).post('https://silent.test/', '{}', {});
    expect(outcome).toMatchObject({ response_status: null, error: 'no answer within 0.3 s' });
    expect(outcome.duration_ms).toBeLessThan(2000);
  });
});

it('a redirect to a private address is not followed', async () => {
  const redirecting = await loopback.http((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/secret` }).end('over there');
  });
  const outcome = await outbound({ allowedPrivateHosts: ['127.0.0.1'] }).post(
    `http://127.0.0.1:${redirecting}/`,
    '{}',
    {},
  );
  expect(outcome).toMatchObject({
    response_status: 307,
    response_body: 'over there',
    error: 'redirects are not followed',
  });
  expect(seen).toEqual([]);
});
