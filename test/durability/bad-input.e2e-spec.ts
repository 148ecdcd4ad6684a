import type { Json } from '../support/http/api';
import { TestTenant } from '../support/builders';
import {
  GATEWAY_TOKEN,
  maxBodyBytes,
  type Operation,
  operationsOf,
  pathWithIds,
  type TenantRecords,
  createRecords,
  RouteWalk,
} from '../support/authorisation/route-walk';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let own: TenantRecords;
let operations: Operation[];
/** Operations with a validated JSON body. */
let writers: Operation[];

beforeAll(async () => {
  test = await startTestApp({ env: { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN } });
  own = await createRecords(await TestTenant.register(test));
  operations = await operationsOf(test);
  writers = operations.filter((operation) => operation.hasBody);
});

afterAll(() => test.close());

/** A body of this size whose only field is not declared by any operation. */
const bodyOfBytes = (bytes: number) =>
  JSON.stringify({ unknown: 'x'.repeat(bytes - '{"unknown":""}'.length) });

/** The deepest value that fits into a body of the operation together with its field, at most `maxDepth` levels. */
function nested(open: string, close: string, operation: Operation, maxDepth: number): string {
  const levels = Math.floor((maxBodyBytes(operation) - 100) / (open.length + close.length));
  const depth = Math.min(levels, maxDepth);
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Payment webhooks answer with 200 even to an invalid notification. */
const badBodyStatus = ({ path }: Operation): number => (path.startsWith('/api/webhooks/') ? 200 : 422);

describe('every route', () => {
  it('is tested', () => {
    expect(operations.length).toBeGreaterThan(28);
    expect(writers.length).toBeGreaterThan(12);
  });

  it.each([
    ['a bare word', 'x'],
    ['an unclosed object', '{"name": "x"'],
    ['a trailing comma', '{"name": "x",}'],
    ['single quotes', "{'name': 'x'}"],
    ['a raw control character', '{"name": "\u0001"}'],
    ['a bare string', '"x"'],
    ['a bare number', '7'],
    ['null', 'null'],
    ['two objects', '{}{}'],
  ])('rejects malformed JSON with 400: %s', async (what, body) => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of writers)
      await walk.send(operation, pathWithIds(operation, own), what, body, [400]);
    walk.expectNoProblems(12);
  });

  it('rejects an array with 422', async () => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of writers) {
      for (const body of ['[]', '[{"name": "x"}]', '[null]']) {
        await walk.send(operation, pathWithIds(operation, own), body, body, [badBodyStatus(operation)]);
      }
    }
    walk.expectNoProblems(36);
  });

  it('handles a missing or empty body without a server error', async () => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of operations) {
      for (const body of /^(GET|HEAD)$/.test(operation.method) ? [undefined] : [undefined, '', '{}']) {
        await walk.send(operation, pathWithIds(operation, own), JSON.stringify(body), body);
      }
    }
    walk.expectNoProblems(60);
  });

  it('rejects a body over its limit with 413, and no smaller one', async () => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of writers) {
      const [path, limit] = [pathWithIds(operation, own), maxBodyBytes(operation)];
      await walk.send(operation, path, 'a body above the limit', bodyOfBytes(limit + 1), [413]);
      await walk.send(operation, path, '2 MB', bodyOfBytes(2_000_000), [413]);
      await walk.send(
        operation,
        path,
        'a body at the limit',
        bodyOfBytes(limit),
        [200, 201, 202, 204, 401, 403, 404, 409, 422],
      );
    }
    walk.expectNoProblems(36);
  });

  it.each([
    ['arrays', '[', ']', 5_000],
    ['objects', '{"a":', '}', 5_000],
    ['objects up to the limit of the body', '{"a":', '}', Infinity],
  ])('rejects deeply nested %s with 422', async (what, open, close, maxDepth) => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of writers) {
      const deep = nested(open, close, operation, maxDepth);
      for (const field of [
        Object.keys(operation.example)[0],
        'unknown',
        'department',
        'user',
        'access_link',
      ]) {
        const path = pathWithIds(operation, own);
        await walk.send(operation, path, `${what} as ${field}`, `{"${field}": ${deep}}`, [
          badBodyStatus(operation),
        ]);
      }
    }
    walk.expectNoProblems(60);
  });

  it('rejects NUL in any string of the body with 422', async () => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of writers) {
      for (const field of Object.keys(operation.example)) {
        const body = { ...operation.example, [field]: 'a\0b' };
        await walk.send(operation, pathWithIds(operation, own), `NUL in ${field}`, body, [
          badBodyStatus(operation),
        ]);
      }
    }
    walk.expectNoProblems(30);
  });

  it('handles values of the wrong type or size in every field without a server error', async () => {
    const values = [null, true, -1, 0, 1.5, 1e308, 2 ** 53, '', ' ', '\ud800', '\u202e🙂', 'NaN'];
    const structures: unknown[] = [
      [],
      [[]],
      [null],
      {},
      { length: 5 },
      { toString: 'x' },
      { $gt: '' },
      ['a', 7],
    ];
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of writers) {
      for (const field of Object.keys(operation.example)) {
        for (const value of [...values, 'x'.repeat(maxBodyBytes(operation) / 2), ...structures]) {
          const body = { ...operation.example, [field]: value };
          const what = `${field} = ${JSON.stringify(value).slice(0, 40)}`;
          await walk.send(operation, pathWithIds(operation, own), what, body);
        }
      }
    }
    walk.expectNoProblems(600);
  });

  it('ignores keys such as __proto__ and constructor', async () => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of writers) {
      for (const key of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'then', 'toJSON']) {
        for (const value of ['{"role":"owner","isAdmin":true}', 'null']) {
          const body = `${JSON.stringify(operation.example).slice(0, -1)},"${key}":${value}}`.replace(
            '{,',
            '{',
          );
          await walk.send(operation, pathWithIds(operation, own), `${key}: ${value}`, body);
        }
      }
    }
    walk.expectNoProblems(120);
    expect(({} as Json).isAdmin).toBeUndefined();
  });
});
