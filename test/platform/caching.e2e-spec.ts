import {
  allOperations,
  createRecords,
  pathWithIds,
  type TenantRecords,
} from '../support/authorisation/route-walk';
import { someId, TestTenant } from '../support/builders';
import { readDocument } from '../support/http/openapi-file';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let records: TenantRecords;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  records = await createRecords(tenant);
});

afterAll(() => test.close());

/** Without the comparison with openapi.json, which every other request of the tests has. */
async function cachingOf(path: string, init: RequestInit = {}): Promise<string | null> {
  const response = await fetch(test.url + path, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response.headers.get('cache-control');
}

describe('no answer of the API may be stored', () => {
  const reads = allOperations(readDocument()).filter(({ method }) => method === 'GET');

  it.each(reads.map((operation) => [operation.path, operation] as const))('%s', async (path, operation) => {
    const known = pathWithIds(operation, records);
    const unknown = path.replaceAll(/\{\w+\}/g, someId());
    const authorization = `Bearer ${tenant.owner.token}`;
    const stored = [
      await cachingOf(known),
      await cachingOf(known, { headers: { authorization } }),
      await cachingOf(unknown, { headers: { authorization } }),
    ].filter((caching) => !caching?.includes('no-store'));
    expect(stored).toEqual([]);
  });

  it.each<[string, string, RequestInit]>([
    ['a login', '/api/auth/login', { method: 'POST', body: '{}' }],
    ['a body that is no JSON', '/api/auth/login', { method: 'POST', body: '{' }],
    ['a path in capitals', '/API/V1/users/me', {}],
    ['a route that does not exist', '/api/v1/nothing', {}],
    ['a method that does not exist', '/api/v1/users', { method: 'PATCH' }],
    ['a link without its page', '/call/some-token', {}],
  ])('of %s', async (_what, path, init) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    expect(await cachingOf(path, { headers, ...init })).toBe('no-store');
  });
});

it('the API reference may be stored', async () => {
  expect(await cachingOf('/docs/swagger-ui.css')).toMatch(/max-age/);
});
