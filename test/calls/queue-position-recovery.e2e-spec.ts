import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { closingSockets } from '../support/sockets/connect-sockets';
import { TestSocket } from '../support/sockets/socket';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const HOME_ADDRESS = '203.0.113.7';
const MOBILE_ADDRESS = '198.51.100.9';

let test: TestApp;
let tenant: TestTenant;
let link: Json;

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: 'loopback', QUEUE_ABSENCE_SECONDS: '60' } });
  tenant = await TestTenant.register(test);
});

afterEach(() => test.clock.resume());

afterAll(() => test.close());

const { connect } = closingSockets(() => test.url);

beforeEach(async () => {
  ({ link } = await tenant.queue({ max_wait_time: 3600 }));
});

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
});
const joinWith = (body: Json, options = from(HOME_ADDRESS)) =>
  test.api.post(`/api/v1/call/${link.token}/join`, body, options);
const resume = (websocket_token: string, address = HOME_ADDRESS) =>
  test.api.post('/api/v1/call/resume', { websocket_token }, from(address));
const statusOf = async (callId: string): Promise<Json> =>
  (await test.api.get(`/api/v1/call/status/${callId}`)).body.data;
const absenceDeadlineOf = async (callId: string): Promise<Date | null> => {
  const { rows } = await test.db.query('SELECT absence_deadline FROM calls WHERE id = $1', [callId]);
  return rows[0].absence_deadline;
};

const ANA = { name: 'Ana Lima', email: 'ana@example.com', phone: '+55 11 91234-5678' };

/** Joins between two customers who stay connected. */
async function joinSecondOfThree(): Promise<Json> {
  await connect((await tenant.join(link)).websocket_token);
  const entry = (await joinWith(ANA)).body.data;
  await connect((await tenant.join(link)).websocket_token);
  expect(entry.position).toBe(2);
  return entry;
}

describe('a reloaded page', () => {
  it('recovers its queue position by its token and continues with a new token', async () => {
    const entry = await joinSecondOfThree();
    const lostSocket = await TestSocket.connect(test.url, entry.websocket_token);
    lostSocket.close();
    const resumed = await resume(entry.websocket_token);
    expect(resumed.status).toBe(200);
    expect(resumed.body.data).toMatchObject({ call_id: entry.call_id, status: 'queued', position: 2 });
    const newSocket = await TestSocket.connect(test.url, resumed.body.data.websocket_token);
    expect(await newSocket.waitFor('snapshot')).toMatchObject({ call_id: entry.call_id, position: 2 });
    await until(async () => (await absenceDeadlineOf(entry.call_id)) === null);
    test.clock.advance(61);
    await sweep(test);
    expect(await statusOf(entry.call_id)).toMatchObject({ status: 'queued', position: 2 });
    newSocket.close();
  });

  it('recovers it by its Idempotency-Key when the response to the join was lost', async () => {
    const options = from(HOME_ADDRESS, { 'idempotency-key': 'one-and-the-same' });
    const first = (await joinWith(ANA, options)).body.data;
    const second = await joinWith(ANA, options);
    expect(second.body.data).toMatchObject({ call_id: first.call_id, position: 1 });
    expect(await countQueued()).toBe(1);
  });
});

describe('a closed tab', () => {
  it('keeps its queue position for a minute', async () => {
    test.clock.stop();
    const entry = await joinSecondOfThree();
    (await TestSocket.connect(test.url, entry.websocket_token)).close();
    await until(async () => (await absenceDeadlineOf(entry.call_id)) !== null);
    test.clock.advance(59);
    await sweep(test);
    expect((await resume(entry.websocket_token)).body.data).toMatchObject({ status: 'queued', position: 2 });
  });

  it('loses its queue position after a minute, and its token then returns the abandoned call', async () => {
    const entry = await joinSecondOfThree();
    (await TestSocket.connect(test.url, entry.websocket_token)).close();
    await until(async () => (await absenceDeadlineOf(entry.call_id)) !== null);
    test.clock.advance(61);
    await sweep(test);
    await until(async () => (await statusOf(entry.call_id)).status === 'abandoned');
    const resumed = await resume(entry.websocket_token);
    expect(resumed.body.data).toMatchObject({ call_id: entry.call_id, status: 'abandoned', position: 0 });
  });
});

describe('a network change', () => {
  it('keeps the queue position for the token, regardless of the address', async () => {
    const entry = await joinSecondOfThree();
    const wifi = await TestSocket.connect(test.url, entry.websocket_token, {
      extraHeaders: { 'x-forwarded-for': HOME_ADDRESS },
    });
    // The service does not notice yet that the old connection is dead when the new one is made.
    const resumed = (await resume(entry.websocket_token, MOBILE_ADDRESS)).body.data;
    const mobile = await TestSocket.connect(test.url, resumed.websocket_token, {
      extraHeaders: { 'x-forwarded-for': MOBILE_ADDRESS },
    });
    wifi.close();
    test.clock.advance(120);
    await sweep(test);
    expect(await statusOf(entry.call_id)).toMatchObject({ status: 'queued', position: 2 });
    mobile.close();
  });

  it('keeps the queue position for the Idempotency-Key, too', async () => {
    const key = { 'idempotency-key': 'on-the-way' };
    const first = (await joinWith(ANA, from(HOME_ADDRESS, key))).body.data;
    const second = (await joinWith(ANA, from(MOBILE_ADDRESS, key))).body.data;
    expect(second.call_id).toBe(first.call_id);
  });
});

describe('recovering a queue position', () => {
  it.each<[string, Json]>([
    ['the same name, e-mail and phone', ANA],
    ['the same e-mail alone', { name: 'Somebody', email: ANA.email }],
    ['the same phone alone', { name: 'Somebody', phone: ANA.phone }],
  ])('is not possible with %s from the same address', async (_title, claim) => {
    const first = (await joinWith(ANA)).body.data;
    const second = await joinWith(claim);
    expectStatus(second, 200);
    expect(second.body.data.call_id).not.toBe(first.call_id);
    expect(second.body.data.position).toBe(2);
    expect(await countQueued()).toBe(2);
  });

  it('is not possible with the key and another request or another link', async () => {
    const options = from(HOME_ADDRESS, { 'idempotency-key': 'of-ana' });
    const first = (await joinWith(ANA, options)).body.data;
    expectFailure(await joinWith({ ...ANA, name: 'Eve' }, options), 422, { code: 'idempotency_key_reused' });
    const otherLink = (await tenant.queue()).link;
    const other = await test.api.post(`/api/v1/call/${otherLink.token}/join`, ANA, options);
    expect(other.body.data.call_id).not.toBe(first.call_id);
  });

  it('is not possible with the key after ten minutes', async () => {
    const options = from(HOME_ADDRESS, { 'idempotency-key': 'old' });
    const first = (await joinWith(ANA, options)).body.data;
    test.clock.advance(601);
    expect((await joinWith(ANA, options)).body.data.call_id).not.toBe(first.call_id);
  });

  it.each([
    ['the id of the call', (entry: Json) => entry.call_id],
    ['a modified token', (entry: Json) => `${entry.websocket_token.slice(0, -3)}abc`],
    ['a staff token', () => tenant.owner.token],
  ])('is not possible with %s instead of its token', async (_title, tokenOf) => {
    const entry = (await joinWith(ANA)).body.data;
    expectFailure(await resume(tokenOf(entry)), 401);
  });

  it('is not possible through the status, which contains no token', async () => {
    const entry = (await joinWith(ANA)).body.data;
    expect(Object.keys(await statusOf(entry.call_id)).toSorted()).toEqual([
      'call_id',
      'callback',
      'estimated_wait_range',
      'estimated_wait_time',
      'has_estimate',
      'position',
      'ringing',
      'status',
    ]);
  });
});

async function countQueued(): Promise<number> {
  const { rows } = await test.db.query(
    `SELECT count(*)::int AS count FROM calls WHERE access_link_id = $1 AND status = 'queued'`,
    [link.id],
  );
  return rows[0].count;
}
