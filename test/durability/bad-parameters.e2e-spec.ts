import type { Json } from '../support/http/api';
import { someId, TestTenant } from '../support/builders';
import {
  pathWithText,
  GATEWAY_TOKEN,
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
let foreign: TenantRecords;
let operations: Operation[];

beforeAll(async () => {
  test = await startTestApp({ env: { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN } });
  own = await createRecords(await TestTenant.register(test));
  foreign = await createRecords(await TestTenant.register(test));
  operations = await operationsOf(test);
});

afterAll(() => test.close());

/** Link tokens and gateway names are not UUIDs. */
const isOpaque = ({ path }: Operation) => /\{(token|gateway)\}/.test(path);

/** The walk sends no file, which is noticed before the id is read. */
const withoutFile = ({ path }: Operation) => (path.endsWith('/avatar') ? [422] : []);

/** Cancelling, callbacks and files check the customer token before they look up the call. */
const notFoundOr401 = ({ path }: Operation) =>
  /\/call\/(cancel|callback|files)\//.test(path) ? [401] : [404];

/**
 * Omits examples of what does not exist, which would cause a 422: ids of records and reasons of pauses. A transfer has a
 * department or a user.
 */
function validBody({ path, example }: Operation): Json {
  const { department_ids: _departments, identifier: _identifier, reason: _reason, ...rest } = example;
  if (path.endsWith('/transfer')) delete rest.department_id;
  return { ...rest, ...('user_id' in example ? { user_id: own.user } : {}) };
}

describe('every path parameter', () => {
  it.each([
    'x',
    '7',
    'null',
    '-1',
    '00000000-0000-0000-0000-00000000000g',
    '%00',
    '%0d%0a',
    '%2e%2e%2f',
    `'%20OR%201=1--`,
    'x'.repeat(4000),
    '%F0%9F%99%82',
  ])('is rejected with 400 if it must be a UUID, otherwise with 404 or 422: %s', async (text) => {
    const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
    for (const operation of operations.filter((one) => one.pathParameters.length > 0)) {
      const body = operation.hasBody ? operation.example : undefined;
      const expected = isOpaque(operation) ? [404, 422] : [400, ...withoutFile(operation)];
      await walk.send(operation, pathWithText(operation, text), text.slice(0, 40), body, expected);
    }
    walk.expectNoProblems(15);
  });

  it.each(['%', '%zz', '%E0%A4%A', '%c0%80', '%ff'])(
    'is rejected with 400 when it is encoded incorrectly: %s',
    async (text) => {
      const walk = new RouteWalk(test, own.owner.token, own.websocket_token);
      for (const operation of operations.filter((one) => one.pathParameters.length > 0)) {
        await walk.send(operation, pathWithText(operation, text), text, undefined, [400]);
      }
      walk.expectNoProblems(15);
    },
  );

  it('is answered with 404 when the record does not exist or belongs to another tenant', async () => {
    const walk = new RouteWalk(test, own.owner.token);
    const withIds = operations.filter((one) => one.pathParameters.length > 0 && !isOpaque(one));
    for (const operation of withIds) {
      const body = operation.hasBody ? validBody(operation) : undefined;
      await walk.send(operation, pathWithText(operation, someId()), 'an unknown id', body, [
        ...notFoundOr401(operation),
        ...withoutFile(operation),
      ]);
      if (!operation.isPublic) {
        await walk.send(operation, pathWithIds(operation, foreign), 'a foreign id', body, [
          404,
          ...withoutFile(operation),
        ]);
      }
    }
    walk.expectNoProblems(25);
    const foreignCall = await foreign.owner.api.get(`/api/v1/calls/${foreign.call}`);
    expect(foreignCall.body.data).toMatchObject({ status: 'queued', user_id: null });
  });
});

describe('every query parameter', () => {
  it('is accepted or rejected without a server error, whatever its value', async () => {
    const texts = [
      '%00',
      'a%00b',
      '%ff',
      '%',
      '',
      '%5B%5D',
      '1e999',
      '-0',
      'x'.repeat(5000),
      '%F0%9F%99%82',
      "'--",
      '\\',
    ];
    const walk = new RouteWalk(test, own.owner.token);
    for (const operation of operations) {
      for (const parameter of operation.queryParameters) {
        for (const text of texts) {
          const path = `${pathWithIds(operation, own)}?${parameter}=${text}`;
          const expected = parameter === 'ticket' ? [400, 401] : [200, 400];
          await walk.send(operation, path, `${parameter}=${text.slice(0, 20)}`, undefined, expected);
        }
        const path = `${pathWithIds(operation, own)}?${parameter}=1&${parameter}=2&${parameter}[x]=3`;
        await walk.send(operation, path, `${parameter} thrice`, undefined, [400]);
      }
    }
    walk.expectNoProblems(300);
  });
});
