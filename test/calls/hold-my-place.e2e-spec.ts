import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { TestSocket } from '../support/sockets/socket';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const HOME = '203.0.113.7';
const MOBILE = '198.51.100.9';

let test: TestApp;
let tenant: TestTenant;
let link: Json;

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

beforeEach(async () => {
  ({ link } = await tenant.queue({ max_wait_time: 3600 }));
});

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
});
const joinWith = (body: Json, options = from(HOME)) =>
  test.api.post(`/api/v1/call/${link.token}/join`, body, options);
const resume = (websocket_token: string, address = HOME) =>
  test.api.post('/api/v1/call/resume', { websocket_token }, from(address));
const statusOf = async (callId: string): Promise<Json> =>
  (await test.api.get(`/api/v1/call/status/${callId}`)).body.data;
const absenceOf = async (callId: string): Promise<Date | null> => {
  const { rows } = await test.db.query('SELECT absence_deadline FROM calls WHERE id = $1', [callId]);
  return rows[0].absence_deadline;
};

const ANA = { name: 'Ana Lima', email: 'ana@example.com', phone: '+55 11 91234-5678' };

async function queuedBetweenOthers(): Promise<Json> {
  await tenant.join(link);
  const entry = (await joinWith(ANA)).body.data;
  await tenant.join(link);
  expect(entry.position).toBe(2);
  return entry;
}

describe('a page that is loaded anew', () => {
  it('finds its place again by its token, and goes on with a fresh one', async () => {
    const entry = await queuedBetweenOthers();
    const before = await TestSocket.connect(test.url, entry.websocket_token);
    before.close();
    const again = await resume(entry.websocket_token);
    expect(again.status).toBe(200);
    expect(again.body.data).toMatchObject({ call_id: entry.call_id, status: 'queued', position: 2 });
    const after = await TestSocket.connect(test.url, again.body.data.websocket_token);
    expect(await after.waitFor('snapshot')).toMatchObject({ call_id: entry.call_id, position: 2 });
    await until(async () => (await absenceOf(entry.call_id)) === null);
    test.clock.advance(61);
    await sweep(test);
    expect(await statusOf(entry.call_id)).toMatchObject({ status: 'queued', position: 2 });
    after.close();
  });

  it('finds it by its key, where the answer to the join was never heard', async () => {
    const options = from(HOME, { 'idempotency-key': 'one-and-the-same' });
    const first = (await joinWith(ANA, options)).body.data;
    const second = await joinWith(ANA, options);
    expect(second.body.data).toMatchObject({ call_id: first.call_id, position: 1 });
    expect(await waiting()).toBe(1);
  });
});

describe('a tab that was closed', () => {
  it('is waited for a minute: whoever comes back within it has the same place', async () => {
    const entry = await queuedBetweenOthers();
    (await TestSocket.connect(test.url, entry.websocket_token)).close();
    await until(async () => (await absenceOf(entry.call_id)) !== null);
    test.clock.advance(59);
    await sweep(test);
    expect((await resume(entry.websocket_token)).body.data).toMatchObject({ status: 'queued', position: 2 });
  });

  it('loses its place after that, and its token says so', async () => {
    const entry = await queuedBetweenOthers();
    (await TestSocket.connect(test.url, entry.websocket_token)).close();
    await until(async () => (await absenceOf(entry.call_id)) !== null);
    test.clock.advance(61);
    await sweep(test);
    await until(async () => (await statusOf(entry.call_id)).status === 'abandoned');
    const late = await resume(entry.websocket_token);
    expect(late.body.data).toMatchObject({ call_id: entry.call_id, status: 'abandoned', position: 0 });
  });
});

describe('a network that changes', () => {
  it('keeps the place: the token counts, not the address', async () => {
    const entry = await queuedBetweenOthers();
    const wifi = await TestSocket.connect(test.url, entry.websocket_token, {
      extraHeaders: { 'x-forwarded-for': HOME },
    });
    // The old connection is not closed, only dead: the new one comes first.
    const again = (await resume(entry.websocket_token, MOBILE)).body.data;
    const mobile = await TestSocket.connect(test.url, again.websocket_token, {
      extraHeaders: { 'x-forwarded-for': MOBILE },
    });
    wifi.close();
    test.clock.advance(120);
    await sweep(test);
    expect(await statusOf(entry.call_id)).toMatchObject({ status: 'queued', position: 2 });
    mobile.close();
  });

  it('keeps it for the key, too', async () => {
    const key = { 'idempotency-key': 'on-the-way' };
    const first = (await joinWith(ANA, from(HOME, key))).body.data;
    const second = (await joinWith(ANA, from(MOBILE, key))).body.data;
    expect(second.call_id).toBe(first.call_id);
  });
});

describe('nothing else gives out a place', () => {
  it.each<[string, Json]>([
    ['the same name, e-mail and phone', ANA],
    ['the same e-mail alone', { name: 'Somebody', email: ANA.email }],
    ['the same phone alone', { name: 'Somebody', phone: ANA.phone }],
  ])('not %s, from the same address', async (_what, claim) => {
    const first = (await joinWith(ANA)).body.data;
    const second = await joinWith(claim);
    expectStatus(second, 200);
    expect(second.body.data.call_id).not.toBe(first.call_id);
    expect(second.body.data.position).toBe(2);
    expect(await waiting()).toBe(2);
  });

  it('not the key with another request, or through another link', async () => {
    const options = from(HOME, { 'idempotency-key': 'of-ana' });
    const first = (await joinWith(ANA, options)).body.data;
    expectFailure(await joinWith({ ...ANA, name: 'Eve' }, options), 422, { code: 'idempotency_key_reused' });
    const elsewhere = (await tenant.queue()).link;
    const other = await test.api.post(`/api/v1/call/${elsewhere.token}/join`, ANA, options);
    expect(other.body.data.call_id).not.toBe(first.call_id);
  });

  it('not the key once its ten minutes are over', async () => {
    const options = from(HOME, { 'idempotency-key': 'old' });
    const first = (await joinWith(ANA, options)).body.data;
    test.clock.advance(601);
    expect((await joinWith(ANA, options)).body.data.call_id).not.toBe(first.call_id);
  });

  it.each([
    ['the id of the call', (entry: Json) => entry.call_id],
    ['a token that was changed', (entry: Json) => `${entry.websocket_token.slice(0, -3)}abc`],
    ['a token of staff', () => tenant.owner.token],
  ])('not %s in place of its token', async (_what, tokenOf) => {
    const entry = (await joinWith(ANA)).body.data;
    expectFailure(await resume(tokenOf(entry)), 401);
  });

  it('not the status, which says where, but gives no token', async () => {
    const entry = (await joinWith(ANA)).body.data;
    expect(Object.keys(await statusOf(entry.call_id)).toSorted()).toEqual([
      'call_id',
      'estimated_wait_time',
      'position',
      'status',
    ]);
  });
});

async function waiting(): Promise<number> {
  const { rows } = await test.db.query(
    `SELECT count(*)::int AS count FROM calls WHERE access_link_id = $1 AND status = 'queued'`,
    [link.id],
  );
  return rows[0].count;
}
