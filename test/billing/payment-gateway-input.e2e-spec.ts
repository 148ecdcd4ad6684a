import type { Json } from '../support/http/api';
import { expectFailure } from '../support/database/failures';
import {
  waitUntilApplied,
  chargeId,
  deliver,
  expectAccepted,
  notification,
  sendNotification,
  applyNotification,
  insertPendingTenants,
  subscriptionState,
  startGatewayApp,
  storedEvents,
} from '../support/peers/payment-gateway';
import { GATEWAY_TOKEN } from '../support/authorisation/tenant-data';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await startGatewayApp();
});

afterAll(() => test.close());

const createPendingTenant = async () => (await insertPendingTenants(test, 1))[0] ?? '';

async function storedRows(where: string, values: unknown[] = []): Promise<Json[]> {
  return (await test.db.query(`SELECT * FROM gateway_events WHERE ${where}`, values)).rows;
}

/** JSON texts that are not valid notifications. They may be mistakes of the gateway, so all are accepted. */
const ODD_BODIES: [string, string | Buffer][] = [
  ['an empty list', '[]'],
  ['an empty object', '{}'],
  ['a list of notifications', '[{"id": "evt_listed", "event": "PAYMENT_CONFIRMED"}]'],
  ['no id', '{"event": "PAYMENT_CONFIRMED"}'],
  ['no event', '{"id": "evt_no_event"}'],
  ['no payment', '{"id": "evt_no_payment", "event": "PAYMENT_CONFIRMED"}'],
  ['a payment that is a list', '{"id": "evt_list", "event": "PAYMENT_CONFIRMED", "payment": [1]}'],
  ['a number for an id', '{"id": 7, "event": "PAYMENT_CONFIRMED", "payment": {"id": 8}}'],
  ['a list for an id', '{"id": ["evt"], "event": ["PAYMENT_CONFIRMED"], "dateCreated": []}'],
  ['a NUL in its id', '{"id": "evt_\\u0000", "event": "X"}'],
  ['a NUL in a key', '{"id": "evt_key", "a\\u0000b": 1}'],
  ['a nested NUL', '{"id": "evt_deep", "payment": {"a": [{"b": "\\u0000"}]}}'],
  ['a NUL in the reference', '{"id": "evt_ref", "payment": {"externalReference": "\\u0000"}}'],
  ['half a surrogate pair', '{"id": "evt_half_\\ud83d", "event": "\\udc00"}'],
  ['a field called __proto__', '{"__proto__": {"id": "evt_x"}, "constructor": {"prototype": 1}}'],
  ['a name in Latin-1', Buffer.from('{"id": "evt_latin1", "payment": {"description": "João"}}', 'latin1')],
  [
    'a name that ends within a character',
    Buffer.from('{"id": "evt_cut", "payment": {"description": "Jo\u00c3"}}', 'latin1'),
  ],
  [
    'numbers out of range',
    '{"id": "evt_numbers", "a": 1e400, "b": -1e-400, "c": 123456789012345678901234567890}',
  ],
  ['10,000 levels of lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['400,000 levels', `{"id": "evt_400", "a": ${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
  ['an id of 3,000 characters', JSON.stringify({ id: 'x'.repeat(3000) })],
  // Random text, so that it does not fit into an index after compression.
  ['an id of 500 wide characters', JSON.stringify({ id: randomWideText(500) })],
  ['an id of 3,000 wide characters', JSON.stringify({ id: randomWideText(3000) })],
  [
    'a charge and an event of 3,000',
    JSON.stringify({ event: randomWideText(3000), payment: { id: randomWideText(3000) } }),
  ],
  [
    '60,000 fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, n]))),
  ],
];

function randomWideText(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.random() * 20_000)).join('');
}

describe('JSON with', () => {
  it.each(ODD_BODIES)('%s is stored once and answered with 200', async (_what, body) => {
    const before = (await storedRows('true')).length;
    for (let delivery = 1; delivery <= 3; delivery++) expectAccepted(await deliver(test, body));
    expect(await storedRows('true')).toHaveLength(before + 1);
  });

  it('no id takes effect once for a known tenant', async () => {
    const tenant = await createPendingTenant();
    const body = notification(tenant, 'PAYMENT_CONFIRMED', { body: { id: undefined } });
    for (let delivery = 1; delivery <= 3; delivery++) expectAccepted(await deliver(test, body));
    await waitUntilApplied(test);
    expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'active' });
    expect(await storedRows('tenant_id = $1', [tenant])).toEqual([
      expect.objectContaining({ event_id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }),
    ]);
  });

  it('an id too long for an index entry takes effect and differs from a similar one', async () => {
    const tenant = await createPendingTenant();
    const [id, charge] = [randomWideText(3000), chargeId()];
    const at = new Date('2026-06-12T12:00:00Z');
    await sendNotification(test, tenant, 'PAYMENT_CONFIRMED', { charge, at, body: { id: `${id}1` } });
    const later = new Date('2026-06-13T12:00:00Z');
    await applyNotification(test, tenant, 'PAYMENT_REFUNDED', { charge, at: later, body: { id: `${id}2` } });
    expect(await subscriptionState(test, tenant)).toMatchObject({
      status: 'cancelled',
      current_period_start: at,
    });
  });
});

describe('a delivery is rejected', () => {
  it.each([['{'], ['{"id": "evt_1"'], ["{'id': 1}"], ['undefined'], ['{"id": "a\u0000"}']])(
    'if its JSON is malformed: %s',
    async (text) => {
      expectFailure(await deliver(test, text), 400, { code: 'bad_request' });
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
  ])('if its content type is %s', async (type) => {
    const body = notification(await createPendingTenant(), 'PAYMENT_CONFIRMED');
    const headers = { 'asaas-access-token': GATEWAY_TOKEN, 'content-type': type };
    expectFailure(await deliver(test, JSON.stringify(body), headers), 400, { code: 'bad_request' });
    expect(await storedEvents(test, body.id)).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['a wrong token', { 'asaas-access-token': 'guessed' }],
    ['a prefix of the token', { 'asaas-access-token': GATEWAY_TOKEN.slice(0, -1) }],
    ['the token with a suffix', { 'asaas-access-token': `${GATEWAY_TOKEN}x` }],
    ['the token in capitals', { 'asaas-access-token': GATEWAY_TOKEN.toUpperCase() }],
    ['the token twice', { 'asaas-access-token': `${GATEWAY_TOKEN}, ${GATEWAY_TOKEN}` }],
    ['an empty token', { 'asaas-access-token': '' }],
    ['the token in another header', { authorization: `Bearer ${GATEWAY_TOKEN}` }],
    ['no token', {}],
  ])('if it has %s, and changes nothing', async (_what, headers) => {
    const tenant = await createPendingTenant();
    const body = notification(tenant, 'PAYMENT_CONFIRMED');
    const answer = await deliver(test, body, headers);
    expectFailure(answer, 401, { code: 'invalid_gateway_token' });
    expect(JSON.stringify(answer.body)).not.toContain(GATEWAY_TOKEN);
    expect(await storedEvents(test, body.id)).toEqual([]);
    expect(await subscriptionState(test, tenant)).toMatchObject({ status: 'pending' });
  });

  it.each(['paypal', 'ASAAS', 'asaas%00', 'constructor', 'operator'])(
    'if it is sent to the unknown gateway %s',
    async (gateway) => {
      const headers = { 'asaas-access-token': GATEWAY_TOKEN };
      const answer = await test.api.post(`/api/webhooks/${gateway}`, notification(null, 'X'), { headers });
      expectFailure(answer, 404, { code: 'not_found' });
    },
  );
});
