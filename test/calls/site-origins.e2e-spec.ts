import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { expectStatus, TestTenant } from '../support/builders';
import type { Json } from '../support/http/api';
import { readDocument } from '../support/http/openapi-file';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const SITE = 'https://www.padaria.example';
const OTHER_SITE = 'https://shop.example';
const UNKNOWN_SITE = 'https://evil.example';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let link: Json;
let otherLink: Json;
let callId: string;
let otherCallId: string;

const allow = async (company: TestTenant, ...allowed_sites: string[]) =>
  expectStatus(await company.owner.api.put('/api/v1/tenant', { allowed_sites }), 200);

beforeAll(async () => {
  test = await sharedTestApp();
  [tenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
  await allow(tenant, SITE, 'https://second.example');
  await allow(other, OTHER_SITE);
  ({ link } = await tenant.queue());
  ({ link: otherLink } = await other.queue());
  callId = (await tenant.join(link)).call_id;
  otherCallId = (await other.join(otherLink)).call_id;
});

afterAll(() => test.close());

/** The routes of customers, with the link and the call of a company. */
function routesOf({ token }: Json, call: string): [method: string, path: string][] {
  const { paths } = readDocument();
  return Object.entries<Json>(paths)
    .filter(([path]) => path.startsWith('/api/v1/call/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method): [string, string] => [
        method.toUpperCase(),
        path.replace('{token}', token).replace('{call_id}', call),
      ]),
    );
}

async function preflight(path: string, method: string, origin: string) {
  const { status, headers } = await fetch(test.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });
  return { status, allowed: headers.get('access-control-allow-origin'), headers };
}

const allowedOf = async (path: string, origin: string, init: RequestInit = {}) =>
  (await fetch(test.url + path, { ...init, headers: { ...init.headers, origin } })).headers.get(
    'access-control-allow-origin',
  );

describe('a site that a company allows', () => {
  it('may send all requests of customers to its links and calls, and read the responses', async () => {
    const routes = routesOf(link, callId);
    expect(routes.length).toBeGreaterThanOrEqual(10);
    for (const [method, path] of routes) {
      const { status, allowed, headers } = await preflight(path, method, SITE);
      expect([path, status, allowed]).toEqual([path, 204, SITE]);
      expect(headers.get('access-control-allow-methods')).toContain(method);
      expect(headers.get('access-control-allow-headers')).toContain('idempotency-key');
      expect(headers.get('vary')).toContain('Origin');
      // Failures, too: without the header, a script could not read what is wrong.
      expect([path, await allowedOf(path, SITE, { method })]).toEqual([path, SITE]);
    }
    expect(await allowedOf(`/api/v1/call/${link.token}./validate`, SITE)).toBe(SITE);
    expect(await allowedOf(`/api/v1/call/status/${callId.toUpperCase()}`, SITE)).toBe(SITE);
  });

  it('may not send them to links and calls of another company', async () => {
    for (const [method, path] of routesOf(otherLink, otherCallId)) {
      if (!path.includes(otherLink.token) && !path.includes(otherCallId)) continue;
      expect([path, (await preflight(path, method, SITE)).allowed]).toEqual([path, null]);
      expect([path, await allowedOf(path, SITE, { method })]).toEqual([path, null]);
      expect([path, (await preflight(path, method, OTHER_SITE)).allowed]).toEqual([path, OTHER_SITE]);
    }
  });

  it.each([
    '/api/v1/calls',
    '/api/v1/users/me',
    '/api/v1/tenant',
    '/api/auth/login',
    '/api/signup/register',
    '/api/webhooks/asaas',
    '/c/token',
    '/docs-json',
    '/api/v1/call',
    '/api/v1/call/a/b/c',
    '/api/v1/call/%00/join',
    '/api/v1/call/%zz/join',
    `/api/v1/call/status/${randomUUID()}`,
    '/api/v1/call/unknown-token/join',
  ])('may send nothing to %s', async (path) => {
    expect((await preflight(path, 'POST', SITE)).allowed).toBeNull();
    expect(await allowedOf(path, SITE)).toBeNull();
  });

  it('may do so as soon as it is allowed, and no longer than that', async () => {
    const company = await TestTenant.register(test);
    const path = `/api/v1/call/${(await company.queue()).link.token}/validate`;
    const site = 'https://new.example';
    expect(await allowedOf(path, site)).toBeNull();
    await allow(company, site);
    expect(await allowedOf(path, site)).toBe(site);
    await allow(company);
    expect(await allowedOf(path, site)).toBeNull();
  });
});

describe('any other site', () => {
  it.each([UNKNOWN_SITE, 'null', `${SITE}.evil.example`, SITE.toUpperCase(), 'http://www.padaria.example'])(
    'may send no request of customers: %s',
    async (origin) => {
      for (const [method, path] of routesOf(link, callId))
        expect([path, (await preflight(path, method, origin)).allowed]).toEqual([path, null]);
    },
  );

  it('gets no credentials allowed, and neither does an allowed one', async () => {
    const { headers } = await preflight(`/api/v1/call/${link.token}/join`, 'POST', SITE);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('causes no more than 300 look-ups a minute', async () => {
    const read = jest.spyOn(test.get(Database), 'readSystem');
    await Promise.all(
      Array.from({ length: 900 }, () => preflight(`/api/v1/call/status/${randomUUID()}`, 'GET', SITE)),
    );
    const lookups = read.mock.calls.filter(([[statement]]) => statement?.text.includes('FROM calls'));
    read.mockRestore();
    expect(lookups.length).toBeGreaterThan(100);
    // A minute may end meanwhile.
    expect(lookups.length).toBeLessThanOrEqual(600);
    // The call was looked up before.
    expect((await preflight(`/api/v1/call/status/${callId}`, 'GET', SITE)).allowed).toBe(SITE);
  });
});
