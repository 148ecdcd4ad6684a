import type { IncomingMessage, RequestListener } from 'node:http';
import { OutboundClient, type OutboundPolicy } from '../../src/webhooks/outbound/outbound-client';
import { dnsResolver } from '../../src/webhooks/outbound/public-address';
import { DnsPeer } from '../support/peers/dns-peer';
import { Loopback } from '../support/service/loopback';
import { until } from '../support/until';

const MAX_BODY_BYTES = 64;

let loopback: Loopback;
let dns: DnsPeer;

beforeAll(async () => {
  loopback = new Loopback();
  dns = await DnsPeer.start();
});

afterAll(async () => {
  dns.stop();
  await loopback.stop();
});

/** A client of a provider's API, which the operator runs on localhost. */
const apiClient = (policy: Partial<OutboundPolicy> = {}) =>
  new OutboundClient(
    {
      allowedPrivateHosts: ['localhost'],
      timeoutMs: 10_000,
      maxBodyBytes: MAX_BODY_BYTES,
      ...policy,
    },
    { public: dnsResolver([dns.address]) },
  );

const get = async (onRequest: RequestListener) =>
  apiClient().request(`http://localhost:${await loopback.http(onRequest)}/charges/7?full=1`);

describe('GET', () => {
  it('returns status, headers and body', async () => {
    let seen: IncomingMessage | undefined;
    const port = await loopback.http((request, response) => {
      seen = request;
      response.writeHead(200, { 'content-type': 'application/json', 'x-page': '2' }).end('{"paid":true}');
    });
    const response = await apiClient().request(`http://localhost:${port}/charges/7?full=1`, {
      headers: { authorization: 'Bearer key', accept: 'application/json' },
    });
    expect(response).toEqual({
      status: 200,
      headers: expect.objectContaining({ 'content-type': 'application/json', 'x-page': '2' }),
      body: Buffer.from('{"paid":true}'),
      error: null,
      durationMs: expect.any(Number),
    });
    expect(seen).toMatchObject({ method: 'GET', url: '/charges/7?full=1' });
    expect(seen?.headers).toEqual({
      host: `localhost:${port}`,
      connection: 'close',
      'user-agent': expect.stringMatching(/^video-call-queue\/\d/),
      authorization: 'Bearer key',
      accept: 'application/json',
    });
  });

  it('returns a body of exactly the maximum size', async () => {
    const body = 'a'.repeat(MAX_BODY_BYTES);
    expect(await get((_request, response) => response.end(body))).toMatchObject({
      status: 200,
      body: Buffer.from(body),
      error: null,
    });
  });

  it('closes the connection when the body never ends', async () => {
    let isClosed = false;
    const response = await get((_request, server) => {
      const timer = setInterval(() => server.write('a'.repeat(10)), 5);
      server.on('close', () => {
        clearInterval(timer);
        isClosed = true;
      });
    });
    expect(response).toMatchObject({ body: Buffer.from('a'.repeat(MAX_BODY_BYTES)), error: null });
    await until(() => isClosed);
  });

  it('fails when the connection closes during the body', async () => {
    const response = await get((_request, server) => {
      server.writeHead(200, { 'content-length': '20' });
      server.write('half', () => server.destroy());
    });
    expect(response).toMatchObject({ status: 200, body: null, error: 'connection closed early' });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%i)', async (status) => {
    let requests = 0;
    const target = await loopback.http((_request, response) => {
      requests++;
      response.end();
    });
    const response = await get((_request, server) => {
      server.writeHead(status, { location: `http://localhost:${target}/` }).end();
    });
    expect(response).toMatchObject({ status, error: 'redirects are not followed' });
    expect(response.headers.location).toBe(`http://localhost:${target}/`);
    expect(requests).toBe(0);
  });

  it('uses the timeout of its policy', async () => {
    const port = await loopback.http(() => {});
    const response = await apiClient({ timeoutMs: 200 }).request(`http://localhost:${port}/`);
    expect(response).toMatchObject({ status: null, error: 'no complete response within 0.2 s' });
    expect(response.durationMs).toBeLessThan(10_000);
  });
});

it.each(['PUT', 'PATCH', 'DELETE', 'HEAD'] as const)('sends the method %s', async (method) => {
  const methods: (string | undefined)[] = [];
  const port = await loopback.http((request, response) => {
    methods.push(request.method);
    response.end();
  });
  const response = await apiClient().request(`http://localhost:${port}/`, { method });
  expect(response).toMatchObject({ status: 200, body: Buffer.of(), error: null });
  expect(methods).toEqual([method]);
});

describe('a private host', () => {
  const NOT_ALLOWED = { status: null, headers: {}, body: null, error: 'address not allowed' };

  it('is allowed by one policy and rejected by another', async () => {
    let requests = 0;
    const port = await loopback.http((_request, response) => {
      requests++;
      response.end('ok');
    });
    const url = `http://localhost:${port}/`;
    const others = apiClient({ allowedPrivateHosts: ['ai.internal'] });
    const [allowed, refused] = await Promise.all([apiClient().request(url), others.request(url)]);
    expect(allowed).toMatchObject({ status: 200, body: Buffer.from('ok') });
    expect(refused).toMatchObject(NOT_ALLOWED);
    expect(requests).toBe(1);
  });

  it('is rejected by its address when the policy does not allow its name', async () => {
    let connections = 0;
    const port = await loopback.tcp(() => connections++);
    dns.addName('ledger.test', '127.0.0.1');
    expect(await apiClient().request(`https://ledger.test:${port}/`)).toMatchObject(NOT_ALLOWED);
    expect(connections).toBe(0);
  });
});
