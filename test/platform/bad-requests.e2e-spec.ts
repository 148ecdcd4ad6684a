import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Json } from '../support/http/api';
import { documentedFetch } from '../support/http/documented-fetch';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const DEPARTMENTS = '/api/v1/departments';

let test: TestApp;
let tenant: TestTenant;
let owner: Member;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  ({ owner } = tenant);
});

afterAll(() => test.close());

/** Sends a request that the API client cannot produce. */
async function raw(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const response = await documentedFetch(test.url + DEPARTMENTS, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
}

/** Sends a body without a Content-Type and a Content-Length. */
async function rawChunks(chunks: string[], path = DEPARTMENTS, method = 'POST') {
  const request = httpRequest(test.url + path, {
    method,
    headers: { authorization: `Bearer ${owner.token}`, 'transfer-encoding': 'chunked' },
  });
  for (const chunk of chunks) request.write(chunk);
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  return { status, body: await json(response), headers: new Headers(headers as Record<string, string>) };
}

const JSON_BODY = JSON.stringify({ name: 'Sent oddly' });

describe('a request body', () => {
  it.each([
    ['text/plain', JSON_BODY],
    ['', JSON_BODY],
    ['application/x-www-form-urlencoded', 'name=Form'],
    ['application/xml', '<name>Xml</name>'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nX\r\n--x--',
    ],
    ['multipart/form-data', 'no boundary'],
    ['application/vnd.api+json', JSON_BODY],
    ['nonsense', JSON_BODY],
    ['text/plain', 'x'.repeat(2_000_000)],
  ])('of the type %j is refused with one sentence', async (type, body) => {
    const answer = await raw(new TextEncoder().encode(body), type ? { 'content-type': type } : {});
    expectFailure(answer, 415, { code: 'unsupported_media_type' });
    expect(answer.body).toEqual({
      errors: {
        code: 'unsupported_media_type',
        detail: 'Send the body as JSON, with the header Content-Type: application/json.',
      },
    });
  });

  it('that arrives in chunks without a type is refused, too, but not an empty one', async () => {
    expectFailure(await rawChunks([JSON_BODY]), 415);
    expectFailure(await rawChunks([]), 422, { field: 'name' });
    const photo = `/api/v1/users/${owner.id}/avatar`;
    expectFailure(await rawChunks(['x'], photo, 'PUT'), 415);
    expectFailure(await rawChunks([], photo, 'PUT'), 422, { field: 'file' });
  });

  it('of any type is accepted when it is empty, and by a route that takes none', async () => {
    for (const type of ['', 'text/plain', 'application/x-www-form-urlencoded', 'application/json'])
      expectFailure(await raw('', { 'content-type': type }), 422, { field: 'name' });
    const member = await tenant.member('attendant');
    const logout = { method: 'POST', headers: { authorization: `Bearer ${member.token}` } };
    expect((await fetch(`${test.url}/api/auth/logout`, logout)).status).toBe(204);
  });

  it.each([
    ['application/json; charset=utf-8', 201],
    ['application/json; charset=UTF-8', 201],
    ['application/json; charset=utf8', 201],
    ['application/json;charset="UTF8"', 201],
    ['application/json; charset=utf8; profile=x', 201],
    ['application/json; charset=utf80', 400],
    ['APPLICATION/JSON', 201],
    ['application/json; charset=latin-17', 400],
    ['application/json; charset=iso-8859-1', 400],
    ['application/json; charset=utf-7', 400],
    ['application/json; charset=utf-16', 400],
    ['application/json; charset=utf-16le', 400],
    ['application/json; charset=utf-32', 400],
  ])('of the type %s is answered with %d', async (type, status) => {
    const answer = await raw(JSON_BODY, { 'content-type': type });
    if (status === 201) expectStatus(answer, 201);
    else {
      expectFailure(answer, status, { code: 'bad_request' });
      expect(answer.body.errors.detail).toBe('JSON must be encoded in UTF-8.');
    }
  });

  it.each<[string, BufferEncoding]>([
    ['Latin-1', 'latin1'],
    ['UTF-16', 'utf16le'],
  ])('in %s is refused with 400 and not stored', async (_what, encoding) => {
    const bytes = new Uint8Array(Buffer.from(JSON.stringify({ name: 'Atenção em Latin-1' }), encoding));
    expectFailure(await raw(bytes, { 'content-type': 'application/json' }), 400, { code: 'bad_request' });
    const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expectFailure(await raw(new Uint8Array(gzipSync(bytes)), gzip), 400, { code: 'bad_request' });
    expect((await owner.api.get(`${DEPARTMENTS}?search=Latin`)).body.data).toEqual([]);
  });

  it('with an escaped half of a surrogate pair is refused, because it could not be stored unchanged', async () => {
    const answer = await raw(String.raw`{"name":"half \ud83d"}`, { 'content-type': 'application/json' });
    expectFailure(answer, 422, { field: 'name' });
    expectStatus(
      await raw(String.raw`{"name":"whole \ud83d\ude42"}`, { 'content-type': 'application/json' }),
      201,
    );
  });

  it('may be compressed with gzip if it is valid and small when decompressed', async () => {
    const type = { 'content-type': 'application/json' };
    const gzip = { ...type, 'content-encoding': 'gzip' };
    expectStatus(await raw(new Uint8Array(gzipSync(JSON_BODY)), gzip), 201);
    expectFailure(await raw(JSON_BODY, gzip), 400);
    const bomb = gzipSync(JSON.stringify({ name: 'x'.repeat(20 * 1024 * 1024) }));
    expect(bomb.length).toBeLessThan(100_000);
    expectFailure(await raw(new Uint8Array(bomb), gzip), 413, { code: 'payload_too_large' });
    expectFailure(await raw(JSON_BODY, { ...type, 'content-encoding': 'rot13' }), 415);
  });

  it('is rejected with 413 when it is too large, even without a Content-Length', async () => {
    const part = new TextEncoder().encode('x'.repeat(64 * 1024));
    let parts = 0;
    const stream = new ReadableStream({
      pull: (controller) => (parts++ < 160 ? controller.enqueue(part) : controller.close()),
    });
    const response = await documentedFetch(test.url + DEPARTMENTS, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    const answer = { status: response.status, body: await response.json(), headers: response.headers };
    expectFailure(answer, 413, { code: 'payload_too_large' });
    expectStatus(await owner.api.get(DEPARTMENTS), 200);
  });

  it('may contain 500 links with labels', async () => {
    const links = Array.from({ length: 500 }, () => ({
      department_id: crypto.randomUUID(),
      label: 'x'.repeat(255),
      max_uses: 1,
    }));
    expectFailure(await owner.api.post('/api/v1/access-links/batch', { links }), 422);
    expectFailure(await owner.api.post(DEPARTMENTS, { links }), 413, { code: 'payload_too_large' });
  });

  it('with a byte order mark is accepted or rejected with 400', async () => {
    const answer = await raw(`\ufeff${JSON_BODY}`, { 'content-type': 'application/json' });
    expect([201, 400]).toContain(answer.status);
  });
});

describe('an unknown path', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/api'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v2/users'],
    ['POST', '/api/v1/nothing'],
    ['GET', '/api/v1/users/me/nothing'],
    ['GET', '/.env'],
    ['GET', '/..%2f..%2fetc/passwd'],
    ['GET', `/${'x'.repeat(6000)}`],
  ])('is answered with 404: %s %s', async (method, path) => {
    for (const api of [test.api, owner.api]) {
      const body = /P(OS|U)T|PATCH/.test(method) ? {} : undefined;
      expectFailure(await api.send(method, path, { body }), 404, { code: 'not_found' });
    }
  });

  it('is answered without a body for HEAD', async () => {
    const response = await documentedFetch(`${test.url}/api/v1/nothing`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it.each(['/%', '/api/%zz', '/api/v1/users/%E0%A4%A'])(
    'is answered with 400 or 404 when it is encoded incorrectly: %s',
    async (path) => {
      const answer = await owner.api.get(path);
      expect([400, 404]).toContain(answer.status);
      expectFailure(answer, answer.status);
    },
  );
});

describe('a wrong method', () => {
  it.each([
    ['PATCH', '/api/v1/users', 'GET, HEAD, POST'],
    ['DELETE', '/api/v1/calls', 'GET, HEAD'],
    ['PUT', '/api/auth/login', 'POST'],
    ['GET', '/api/auth/login', 'POST'],
    ['GET', '/API/Auth/login/?a=b', 'POST'],
    ['POST', '/api/v1/users/me', 'GET, HEAD, PUT'],
    ['DELETE', `/api/v1/calls/${crypto.randomUUID()}`, 'GET, HEAD, PUT'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['POST', '/docs-json', 'GET, HEAD'],
  ])('is answered with 405 and the methods of the address: %s %s', async (method, path, allow) => {
    for (const api of [test.api, owner.api]) {
      const body = /P(OS|U)T|PATCH/.test(method) ? {} : undefined;
      const answer = await api.send(method, path, { body });
      expectFailure(answer, 405, { code: 'method_not_allowed' });
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  it('does not turn a record that does not exist into a 405', async () => {
    const answer = await owner.api.get(`/api/v1/calls/${crypto.randomUUID()}`);
    expectFailure(answer, 404, { code: 'not_found' });
    expect(answer.headers.get('allow')).toBeNull();
  });
});

/** Sends a request with the header Expect, which fetch does not send. */
async function sendExpectation(expectation: string) {
  const { hostname, port } = new URL(test.url);
  const request = httpRequest({
    hostname,
    port,
    path: '/api/v1/users/me',
    headers: { expect: expectation },
  });
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  return { status, body: await json(response), headers: new Headers(headers as Record<string, string>) };
}

describe('the header Expect', () => {
  it.each(['x', '200-ok', '100-continue, x', ''])('is rejected with 417: %j', async (expectation) => {
    const answer = await sendExpectation(expectation);
    expectFailure(answer, 417, { code: 'expectation_failed' });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  it('may be 100-continue', async () => {
    expectFailure(await sendExpectation('100-continue'), 401);
    expectFailure(await sendExpectation('100-Continue'), 401);
  });
});

const idOf = async (path: string, id?: string, body?: string) => {
  const headers: Record<string, string> = id === undefined ? {} : { 'x-request-id': id };
  const answer = body
    ? await owner.api.post(path, body, { headers })
    : await owner.api.get(path, { headers });
  return answer.headers.get('x-request-id');
};

describe('X-Request-Id', () => {
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  it('is returned in the response', async () => {
    for (const id of ['abc', 'req-1.2:3_4', '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', 'x'.repeat(128)]) {
      expect(await idOf('/api/v1/users/me', id)).toBe(id);
    }
  });

  it('is generated for each request without one', async () => {
    const [one, two] = [await idOf('/api/v1/users/me'), await idOf('/api/v1/users/me')];
    expect(one).toMatch(UUID);
    expect(two).toMatch(UUID);
    expect(one).not.toBe(two);
  });

  it.each(['', 'has blank', 'a,b', '<script>', 'x'.repeat(129), '{"a":1}', 'caf\u00e9', "'; --"])(
    'is replaced when it is invalid: %j',
    async (id) => {
      expect(await idOf('/api/v1/users/me', id)).toMatch(UUID);
    },
  );

  it.each([
    ['/api/v1/nothing', undefined],
    ['/api/v1/users/7', undefined],
    ['/healthz', undefined],
    ['/docs-json', undefined],
    [DEPARTMENTS, '{"malformed'],
    [DEPARTMENTS, JSON.stringify({ name: 'x'.repeat(2_000_000) })],
    ['/api/auth/login', '{}'],
  ])('is present in every response: %s', async (path, body) => {
    expect(await idOf(path, 'trace-me', body)).toBe('trace-me');
  });
});

describe('a malformed header', () => {
  it.each([
    ['authorization', 'Bearer \u00ff\u00fe'],
    ['authorization', `Bearer ${'x'.repeat(7000)}`],
    ['authorization', 'Bearer eyJhbGciOiJIUzI1NiJ9..'],
    ['authorization', 'Bearer bnVsbA.bnVsbA.x'],
    ['authorization', 'Bearer W10.W10.x'],
  ])('is rejected with 401: %s: %s', async (name, value) => {
    expectFailure(await test.api.get('/api/v1/users/me', { headers: { [name]: value } }), 401);
  });

  it.each(['\u00ff\u00fe', '\u00c3', 'x'.repeat(7000), '__proto__'])(
    'is rejected with 403: X-Tenant: %s',
    async (value) => {
      const answer = await owner.api.get('/api/v1/users/me', { headers: { 'x-tenant': value } });
      expectFailure(answer, 403, { code: 'wrong_tenant' });
    },
  );

  it('is rejected with 400 when it is an Idempotency-Key that is too long', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    expectFailure(await test.api.post('/api/v1/call/some-token/join', { name: 'X' }, { headers }), 400);
  });
});

describe('error responses', () => {
  it('reveal no internals', async () => {
    for (const answer of [
      await owner.api.post(DEPARTMENTS, '{"name": oops}'),
      await owner.api.get('/api/v1/users/7'),
      await owner.api.post('/api/v1/users', { name: 'X' }),
      await test.api.get('/api/v1/users/me'),
    ]) {
      expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts|\.js\b|at |SELECT|Error|oops|stack/);
    }
  });

  it('have the security headers and do not name the framework', async () => {
    const { headers } = await test.api.get('/api/v1/nothing');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBeTruthy();
    const { headers: ofValue } = await owner.api.get('/api/v1/users/me');
    expect(ofValue.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});
