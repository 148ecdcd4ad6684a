import type { Answer } from '../../support/http/api';
import { expectStatus, someId, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { expand } from '../../support/http/json-schema';
import { startTestApp, type TestApp } from '../../support/test-app';
import { expectThrottled, fromAddress, newAddress, LOW_LIMITS } from '../../support/contexts/throttling';

const NAMES = ['ratelimit-policy', 'ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { ...LOW_LIMITS, API_RATE_LIMIT: '3000' } });
});

afterAll(() => test.close());

const tryLogin = (address: string, email: string) =>
  test.api.post('/api/auth/login', { tenant: 'acme', email, password: 'guess' }, fromAddress(address));

/** The counters of the RateLimit header as [name, remaining]. Checks that their seconds lie within the window. */
function remaining({ headers }: Answer): [string, number][] {
  const field = headers.get('ratelimit') ?? '';
  expect(field).toMatch(/^"[a-z_]+";r=\d+;t=\d+(, "[a-z_]+";r=\d+;t=\d+)*$/);
  return [...field.matchAll(/"([a-z_]+)";r=(\d+);t=(\d+)/g)].map(([, name = '', rest, seconds]) => {
    expect(Number(seconds)).toBeGreaterThanOrEqual(1);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
    return [name, Number(rest)];
  });
}

const legacyLimits = ({ headers }: Answer) =>
  ['ratelimit-limit', 'ratelimit-remaining'].map((name) => Number(headers.get(name)));

describe('a response of a rate-limited route', () => {
  it('names every limit, and in the legacy headers the one with the fewest requests left', async () => {
    const address = newAddress();
    const first = await tryLogin(address, 'ana@example.com');
    expectFailure(first, 401);
    expect(first.headers.get('ratelimit-policy')).toBe('"auth";q=5;w=60, "auth_address";q=30;w=60');
    expect(remaining(first)).toEqual([
      ['auth', 4],
      ['auth_address', 29],
    ]);
    expect(legacyLimits(first)).toEqual([5, 4]);
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(50);

    for (let n = 2; n <= 27; n++) await tryLogin(address, `user${n}@example.com`);
    const late = await tryLogin(address, 'ana@example.com');
    expect(remaining(late)).toEqual([
      ['auth', 3],
      ['auth_address', 2],
    ]);
    expect(legacyLimits(late)).toEqual([30, 2]);
  });

  it('names the exhausted limit and its reset time in a 429', async () => {
    const address = newAddress();
    for (let n = 0; n < 5; n++) await tryLogin(address, 'ana@example.com');
    const refused = await tryLogin(address, 'ana@example.com');
    expectThrottled(refused);
    expect(remaining(refused)).toEqual([['auth', 0]]);
    expect(legacyLimits(refused)).toEqual([5, 0]);
    expect(refused.headers.get('ratelimit-reset')).toBe(refused.headers.get('retry-after'));
    expect(refused.headers.get('ratelimit')).toContain(`;t=${refused.headers.get('retry-after')}`);
  });

  it('names the policy of its route', async () => {
    const { owner } = await TestTenant.register(test);
    const policies = await Promise.all(
      [
        test.api.get('/api/v1/call/turn-credentials', fromAddress(newAddress())),
        test.api.post('/api/webhooks/nobody', {}, fromAddress(newAddress())),
        owner.api.get('/api/v1/users/me'),
        owner.api.get(`/api/v1/departments/${someId()}`),
        owner.api.get('/api/v1/users/me', { headers: { 'x-tenant': 'another' } }),
        test.api.get('/api/v1/users/me', fromAddress(newAddress())),
      ].map(async (sent) => {
        const answer = await sent;
        return [answer.status, answer.headers.get('ratelimit-policy')];
      }),
    );
    expect(policies).toEqual([
      [200, '"public";q=30;w=60'],
      [404, '"gateway";q=30000;w=60'],
      [200, '"api";q=3000;w=60'],
      [404, '"api";q=3000;w=60'],
      [403, '"api";q=3000;w=60'],
      [401, '"api";q=3000;w=60'],
    ]);
  });
});

it('a response of a route without a rate limit has none of the headers', async () => {
  for (const path of ['/healthz', '/readyz', '/no-such-route']) {
    const { headers } = await test.api.get(path);
    expect([path, NAMES.filter((name) => headers.has(name))]).toEqual([path, []]);
  }
});

it('a page of another origin may read the headers', async () => {
  const answer = await test.api.get('/api/v1/call/turn-credentials', {
    headers: { origin: 'http://localhost:3000', 'x-forwarded-for': newAddress() },
  });
  expectStatus(answer, 200);
  const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(',');
  expect(exposed).toEqual(expect.arrayContaining([...NAMES, 'retry-after', 'x-request-id']));
});

it('the OpenAPI document names the rate limit of every operation and describes the headers once', async () => {
  const { body: document } = await test.api.get('/docs-json');
  const described = Object.keys(document.components.headers).map((name) => name.toLowerCase());
  expect(described).toEqual(expect.arrayContaining(NAMES));
  const rateLimitOf = (path: string, method: string) => document.paths[path][method]['x-rate-limit'];
  expect(rateLimitOf('/api/auth/login', 'post')).toBe('auth');
  expect(rateLimitOf('/api/v1/call/turn-credentials', 'get')).toBe('public');
  expect(rateLimitOf('/api/v1/calls', 'get')).toBe('api');
  expect(rateLimitOf('/healthz', 'get')).toBe('none');
  const headersOf = (path: string, status: string) => {
    const { headers = {} } = expand(document, document.paths[path].get.responses[status]);
    return Object.keys(headers).map((name) => name.toLowerCase());
  };
  expect(headersOf('/api/v1/calls', '200')).toEqual(NAMES);
  expect(headersOf('/api/v1/calls', '429')).toEqual(['retry-after', ...NAMES]);
  expect(headersOf('/healthz', '200')).toEqual([]);
});
