import { TestTenant } from '../support/builders';
import type { Answer } from '../support/http/api';
import { ensureDocumented } from '../support/http/contract';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const CALLS = '/api/v1/calls';

/** Tests the check that the API client applies to every response. */
describe('the check of responses against openapi.json', () => {
  let test: TestApp;
  let calls: Answer;

  beforeAll(async () => {
    test = await sharedTestApp();
    const tenant = await TestTenant.register(test);
    const { link } = await tenant.queue();
    await tenant.join(link);
    calls = await tenant.owner.api.get(CALLS);
  });

  afterAll(() => test.close());

  const call = () => calls.body.data[0];
  const withCall = (fields: object) => ({ data: [{ ...call(), ...fields }], meta: calls.body.meta });
  const without = (field: string) => {
    const { [field]: _field, ...others } = call();
    return { data: [others], meta: calls.body.meta };
  };

  it('accepts documented responses', () => {
    expect(() => ensureDocumented('GET', CALLS, calls)).not.toThrow();
    expect(() => ensureDocumented('GET', `${CALLS}?page=1`, calls)).not.toThrow();
  });

  it.each<[string, string, (answer: Answer) => Partial<Answer>]>([
    ['an undocumented status', 'status 418 is not documented', () => ({ status: 418 })],
    [
      'an undocumented media type',
      'content type text/plain is not documented',
      () => ({ headers: plainText() }),
    ],
    ['an undocumented field', '"secret"', () => ({ body: withCall({ secret: 1 }) })],
    ['a missing field', '"wait_time"', () => ({ body: without('wait_time') })],
    ['a value of the wrong type', 'must be string', () => ({ body: withCall({ id: 7 }) })],
    ['an invalid id', 'must match format', () => ({ body: withCall({ id: 'seven' }) })],
    ['a value outside the enum', 'allowed values', () => ({ body: withCall({ status: 'lost' }) })],
    [
      'null for a field that is not nullable',
      'must be string',
      () => ({ body: withCall({ inserted_at: null }) }),
    ],
    [
      'a response that caches may keep',
      'Cache-Control is private, no-cache instead of no-store',
      ({ headers }) => ({
        headers: new Headers([
          ['content-type', headers.get('content-type') ?? ''],
          ['cache-control', 'private, no-cache'],
        ]),
      }),
    ],
    ['an error body of another shape', '"errors"', () => ({ status: 403, body: { error: 'no' } })],
  ])('rejects %s', (_what, message, change) => {
    const answer = { ...calls, ...change(calls) };
    expect(() => ensureDocumented('GET', CALLS, answer)).toThrow(message);
  });

  it('rejects an undocumented route, also one that does not exist unless its name says so', () => {
    for (const status of [200, 404])
      expect(() => ensureDocumented('GET', '/api/v1/secrets', { ...calls, status })).toThrow(
        'the route is not documented',
      );
    for (const [path, status] of [
      ['/api/v1/nothing', 404],
      ['/api/v1/secrets', 405],
    ] as const)
      expect(() => ensureDocumented('GET', path, { ...calls, status })).not.toThrow();
  });
});

const plainText = () => new Headers({ 'content-type': 'text/plain; charset=utf-8' });
