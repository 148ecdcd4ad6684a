import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { GATEWAY_TOKEN } from '../support/authorisation/route-walk';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

const GATEWAY = '/api/webhooks/asaas';
const KIB = 1024;
const NO_CALL = '00000000-0000-4000-8000-000000000000';

let test: TestApp;
let tenant: TestTenant;
let link: Json;

beforeAll(async () => {
  test = await startTestApp({ env: { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN, TRUST_PROXY: 'loopback' } });
  tenant = await TestTenant.register(test);
  ({ link } = await tenant.queue());
});

afterAll(() => test.close());

const unknownKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 0]));

const join = (body: unknown) => test.api.post(`/api/v1/call/${link.token}/join`, body);

const notification = (bytes: number) => JSON.stringify({ id: `evt_${bytes}`, note: 'x'.repeat(bytes - 30) });

/** Begins a request whose body the test writes. Without a length the body is chunked. */
function begin(path: string, headers: Record<string, string | number>): ClientRequest {
  const { hostname, port } = new URL(test.url);
  const all = { 'content-type': 'application/json', ...headers };
  return httpRequest({ hostname, port, path, method: 'POST', headers: all, agent: false }).on(
    'error',
    () => {},
  );
}

/** Waits for the response, although the body need not have ended, and closes the connection. */
async function answerTo(request: ClientRequest) {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const received = await text(response);
  // The pages of forms answer with HTML.
  const isJson = response.headers['content-type']?.includes('json') ?? false;
  const body: unknown = isJson ? JSON.parse(received) : received;
  request.destroy();
  return {
    status: response.statusCode ?? 0,
    body,
    headers: new Headers(response.headers as Record<string, string>),
  };
}

describe('a chunked body', () => {
  it.each([
    ['/api/v1/call/some-token/join', 16],
    ['/api/auth/refresh', 16],
    ['/api/signup/register', 16],
    ['/api/v1/departments', 128],
    ['/api/v1/access-links/batch', 256],
  ])('of %s is rejected with 413 above %d KiB', async (path, kib) => {
    const request = begin(path, { authorization: `Bearer ${tenant.owner.token}` });
    request.write('{"name": "');
    for (let sent = 0; sent <= kib; sent++) request.write('x'.repeat(KIB));
    request.end('"}');
    expectFailure(await answerTo(request), 413, { code: 'payload_too_large' });
  });
});

/** Sends a body of about this size. */
const send = (path: string, bytes: number, headers: Record<string, string>) =>
  test.api.post(path, { unknown: 'x'.repeat(bytes - 20) }, { headers });

describe('a body for staff without an access token', () => {
  it.each(['/api/v1/departments', '/api/v1/access-links/batch'])(
    'of %s is rejected with 413 above 16 KiB, as that of a public route',
    async (path) => {
      const attempts: Record<string, string>[] = [
        {},
        { authorization: 'Bearer guess' },
        { authorization: 'Basic a.b.c' },
      ];
      for (const headers of attempts) {
        expectFailure(await send(path, 16 * KIB, headers), 401);
        expectFailure(await send(path, 17 * KIB, headers), 413, { code: 'payload_too_large' });
        const values = await test.api.post(path, unknownKeys(257), { headers });
        expectFailure(values, 422, { field: 'body' });
      }
      // Only its signature shows that this one is wrong.
      const { token } = tenant.owner;
      const forged = `${token.slice(0, token.lastIndexOf('.'))}.forged`;
      expectFailure(await send(path, 17 * KIB, { authorization: `Bearer ${forged}` }), 401);
    },
  );
});

it('a rejected body is answered with the headers by which a page of an allowed origin sees the error', async () => {
  // Without CORS_ORIGINS, the origin of PUBLIC_URL.
  const origin = 'http://localhost:3000';
  const answer = await tenant.owner.api.post(
    '/api/v1/departments',
    { name: 'x'.repeat(129 * KIB) },
    { headers: { origin } },
  );
  expectFailure(answer, 413, { code: 'payload_too_large' });
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

/** How long a client has for the rest of its body. */
const REST_MS = 10_000;

describe('a body that is still being sent', () => {
  it.each([
    ['JSON', '/api/v1/call/some-token/join', 'application/json', 16 * KIB],
    ['JSON of staff', '/api/v1/departments', 'application/json', 128 * KIB],
    ['a form', '/reset-password', 'application/x-www-form-urlencoded', 4 * KIB],
  ])('of %s is rejected at once', async (_, path, type, limit) => {
    const headers = { 'content-type': type, authorization: `Bearer ${tenant.owner.token}` };
    const announced = begin(path, { ...headers, 'content-length': 5_000_000_000 });
    announced.write('{');
    const chunked = begin(path, headers);
    chunked.write('{');
    for (let sent = 0; sent <= limit; sent += KIB) chunked.write('x'.repeat(KIB));
    for (const request of [announced, chunked]) {
      const startedAt = performance.now();
      const answer = await answerTo(request);
      expect(answer.status).toBe(413);
      if (type === 'application/json') expectFailure(answer, 413, { code: 'payload_too_large' });
      expect(performance.now() - startedAt).toBeLessThan(REST_MS);
    }
  });

  it('of a notification of the payment gateway is rejected at once', async () => {
    const headers = { 'asaas-access-token': GATEWAY_TOKEN, 'content-length': 5_000_000_000 };
    const request = begin(GATEWAY, headers);
    request.write('{');
    expectFailure(await answerTo(request), 413, { code: 'payload_too_large' });
  });
});

describe('unknown keys', () => {
  it('are ignored in a public body', async () => {
    const answer = await join({ name: 'Ana', ...unknownKeys(200) });
    expectStatus(answer, 200);
    expect(Object.keys(answer.body.data)).not.toContain('key_0');
  });

  it('are rejected with 422 if there are more than 256 in a public body', async () => {
    const body = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [index.toString(36), 0]));
    expectFailure(await join({ ...body, name: 'Ana' }), 422, { field: 'body' });
    expectFailure(await join({ name: body }), 422, { field: 'body' });
  });

  it('are rejected with 413 if they exceed the limit of the body', async () => {
    expectFailure(await join({ name: 'Ana', ...unknownKeys(105_000) }), 413, { code: 'payload_too_large' });
  });
});

describe('a notification of the payment gateway', () => {
  it('is refused before its body has arrived if its token is wrong', async () => {
    for (const [header, value] of [
      ['content-length', KIB * KIB],
      ['transfer-encoding', 'chunked'],
    ] as const) {
      const request = begin(GATEWAY, { [header]: value, 'asaas-access-token': 'wrong' });
      request.write('{"id": "');
      expectFailure(await answerTo(request), 401, { code: 'invalid_gateway_token' });
    }
  });

  it('is accepted up to 1 MB with the right token', async () => {
    const headers = { 'asaas-access-token': GATEWAY_TOKEN };
    expectStatus(await test.api.post(GATEWAY, notification(KIB * KIB), { headers }), 200);
    const tooLarge = await test.api.post(GATEWAY, notification(KIB * KIB + 100), { headers });
    expectFailure(tooLarge, 413, { code: 'payload_too_large' });
  });
});

/** 240 KiB of one link that is not valid. */
const batch = (address: string) =>
  tenant.owner.api.post(
    '/api/v1/access-links/batch',
    { links: [{ label: 'x'.repeat(240 * KIB) }] },
    { headers: { 'x-forwarded-for': address } },
  );

describe('large bodies from one address', () => {
  it('are refused unread for a while, which other addresses and small bodies do not notice', async () => {
    let answer = await batch('198.51.100.7');
    let sent = 1;
    for (; answer.status === 422 && sent < 50; sent++) answer = await batch('198.51.100.7');
    expectFailure(answer, 429, { code: 'rate_limited' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    // An invalid one counts as four: 4 MiB are used up by the fifth.
    expect(sent).toBeGreaterThanOrEqual(5);
    expect(sent).toBeLessThan(10);

    expect((await batch('198.51.100.8')).status).toBe(422);
    // Without a Content-Length it is refused when it has arrived.
    const chunked = { 'x-forwarded-for': '198.51.100.7', authorization: `Bearer ${tenant.owner.token}` };
    const request = begin('/api/v1/access-links/batch', chunked);
    request.end(JSON.stringify({ links: [{ label: 'x'.repeat(240 * KIB) }] }));
    expectFailure(await answerTo(request), 429, { code: 'rate_limited' });
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    expectStatus(await tenant.owner.api.post('/api/v1/departments', { name: 'Small' }, { headers }), 201);
    // Recordings and files have limits of their own.
    const form = new FormData();
    form.append('file', new Blob([Buffer.alloc(100 * KIB)]), 'notes.txt');
    const upload = await fetch(`${test.url}/api/v1/calls/${NO_CALL}/recording/upload`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${tenant.owner.token}` },
      body: form,
    });
    expect(upload.status).toBe(404);
  });
});
