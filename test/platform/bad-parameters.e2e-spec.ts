import type { Json } from '../support/http/api';
import { someId, TestTenant } from '../support/builders';
import {
  filledPath,
  GATEWAY_TOKEN,
  type Operation,
  operationsOf,
  realPath,
  type Things,
  thingsOf,
  Walk,
} from '../support/authorisation/route-walk';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let own: Things;
let foreign: Things;
let operations: Operation[];

beforeAll(async () => {
  test = await startTestApp({ env: { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN } });
  own = await thingsOf(await TestTenant.register(test));
  foreign = await thingsOf(await TestTenant.register(test));
  operations = await operationsOf(test);
});

afterAll(() => test.close());

/** A token of a link or the name of a gateway is no uuid. */
const isOpaque = ({ path }: Operation) => /\{(token|gateway)\}/.test(path);

/** Cancelling asks for the customer's token first. */
const notFoundOr401 = ({ path }: Operation) => (path.includes('/cancel/') ? [401] : [404]);

/** The examples name things that do not exist; bodies that refer to them would be 422 themselves. */
function validBody({ example }: Operation): Json {
  const { department_ids: _departments, identifier: _identifier, ...rest } = example;
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
  ])('that is no uuid is 400, and no token 404: %s', async (text) => {
    const walk = new Walk(test, own.owner.token);
    for (const operation of operations.filter((one) => one.pathParameters.length > 0)) {
      const body = operation.hasBody ? operation.example : undefined;
      const expected = isOpaque(operation) ? [404, 422] : [400];
      await walk.send(operation, filledPath(operation, text), text.slice(0, 40), body, expected);
    }
    walk.done(15);
  });

  it.each(['%', '%zz', '%E0%A4%A', '%c0%80', '%ff'])('with a bad encoding is 400: %s', async (text) => {
    const walk = new Walk(test, own.owner.token);
    for (const operation of operations.filter((one) => one.pathParameters.length > 0)) {
      await walk.send(operation, filledPath(operation, text), text, undefined, [400]);
    }
    walk.done(15);
  });

  it('that leads nowhere is 404, also when another tenant has it', async () => {
    const walk = new Walk(test, own.owner.token);
    const withIds = operations.filter((one) => one.pathParameters.length > 0 && !isOpaque(one));
    for (const operation of withIds) {
      const body = operation.hasBody ? validBody(operation) : undefined;
      await walk.send(
        operation,
        filledPath(operation, someId()),
        'an unknown id',
        body,
        notFoundOr401(operation),
      );
      if (!operation.isPublic) {
        await walk.send(operation, realPath(operation, foreign), 'a foreign id', body, [404]);
      }
    }
    walk.done(25);
    const theirs = await foreign.owner.api.get(`/api/v1/calls/${foreign.call}`);
    expect(theirs.body.data).toMatchObject({ status: 'queued', user_id: null });
  });
});

describe('every query parameter', () => {
  it('is refused with 400 or harmless, whatever it holds', async () => {
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
    const walk = new Walk(test, own.owner.token);
    for (const operation of operations) {
      for (const parameter of operation.queryParameters) {
        for (const text of texts) {
          const path = `${realPath(operation, own)}?${parameter}=${text}`;
          const expected = parameter === 'ticket' ? [400, 401] : [200, 400];
          await walk.send(operation, path, `${parameter}=${text.slice(0, 20)}`, undefined, expected);
        }
        const path = `${realPath(operation, own)}?${parameter}=1&${parameter}=2&${parameter}[x]=3`;
        await walk.send(operation, path, `${parameter} thrice`, undefined, [400]);
      }
    }
    walk.done(300);
  });
});
