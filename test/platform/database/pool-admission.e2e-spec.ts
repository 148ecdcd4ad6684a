import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { PoolAdmission } from '../../../src/platform/database/connections/pool-admission';
import { JoinQueue } from '../../../src/calls/customer/join-queue';
import { SiteOrigins } from '../../../src/calls/customer/site-origins';
import { Database } from '../../../src/platform/database/database';
import { requestContext } from '../../../src/platform/logging/request-context';
import type { Answer, Json } from '../../support/http/api';
import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { oneTo } from '../../support/database/rows';
import { whileConnectionsAreHeld } from '../../support/database/held-connections';
import { scrapeMetrics } from '../../support/http/scrape-metrics';
import { TestSocket } from '../../support/sockets/socket';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

/** One connection of five is reserved for calls in progress. */
const ENV = { DATABASE_POOL_SIZE: '5' };
const UNRESERVED = 4;
/** How long public requests wait here, instead of 6 s. */
const PUBLIC_WAIT_S = 1;
/** How long other requests wait for a connection. On a busy machine a request takes a few seconds without waiting. */
const ORDINARY_WAIT_S = 5;

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let agent: Member;

beforeAll(async () => {
  test = await startTestApp({ env: ENV, asInProduction: true });
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue());
  agent = await tenant.member('attendant', [department.id]);
  jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', PUBLIC_WAIT_S * 1000);
});

afterAll(() => test.close());

/** Runs `work` while other work holds all connections but the reserved one. */
const whileBusy = <T>(work: () => Promise<T>) => whileConnectionsAreHeld(test, UNRESERVED, work);

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const begin = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - begin) / 1000 };
}

const join = () => test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Ana' });

/** Connecting is not finished with the first snapshot, but before the first event is acknowledged. */
const waitUntilOpen = (socket: TestSocket) => socket.send('snapshot');

describe('while all other connections are in use', () => {
  it('a public request gets 503 once it has waited for its time, which is counted', async () => {
    const { result, seconds } = await whileBusy(() => timed(join));
    expect(result.status).toBe(503);
    expect(result.body.errors.code).toBe('unavailable');
    expect(Number(result.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThan(0.9 * PUBLIC_WAIT_S);
    expect(seconds).toBeLessThan(ORDINARY_WAIT_S);
    expect((await scrapeMetrics(test.url)).valueOf('vcq_busy_total{reason="connection"}')).toBe(1);
    expectStatus(await join(), 200);
  });

  it('calls in progress can be started, resumed, signalled and completed', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    const customer = await TestSocket.connect(test.url, websocket_token);
    const staff = await TestSocket.connect(test.url, agent.token);
    for (const socket of [customer, staff]) await waitUntilOpen(socket);
    await whileBusy(async () => {
      expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
      expectStatus(await test.api.post('/api/v1/call/resume', { websocket_token }), 200);
      const signal = { description: { type: 'offer', sdp: 'v=0\r\n' } };
      expect(await customer.send('signal', signal)).toMatchObject({ ok: true });
      expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`, {}), 200);
    });
    customer.close();
    staff.close();
  });

  it('a call that does not exist is not found without waiting for locks', async () => {
    const end = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const holder = test.get(Database).system(async (tx) => {
      await tx.query('SELECT FROM tenants WHERE id = $1 FOR UPDATE', [tenant.id]);
      isLocked.resolve();
      await end.promise;
    });
    await isLocked.promise;
    const result = await agent.api.post(`/api/v1/calls/${randomUUID()}/start`);
    end.resolve();
    await holder;
    expectStatus(result, 404);
  });

  it('sockets get a snapshot, join the call and renew their token, and TURN credentials are issued', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const staff = await TestSocket.connect(test.url, agent.token);
    await waitUntilOpen(staff);
    await whileBusy(async () => {
      expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
      expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
      expect(await staff.send('snapshot')).toMatchObject({ ok: true });
      expect(await staff.send('authenticate', { token: agent.token })).toMatchObject({ ok: true });
      const headers = { authorization: `Bearer ${websocket_token}` };
      const answer = await fetch(`${test.url}/api/v1/call/turn-credentials`, { headers });
      expect(answer.status).toBe(200);
    });
    staff.close();
  });

  it('the participants and the staff learn at once that a queued call was started', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(test.url, websocket_token);
    const staff = await TestSocket.connect(test.url, agent.token);
    for (const socket of [customer, staff]) await waitUntilOpen(socket);
    await whileBusy(async () => {
      expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
      const signal = { call_id, description: { type: 'offer', sdp: 'v=0\r\n' } };
      expect(await staff.send('signal', signal)).toMatchObject({ ok: true });
      await customer.waitFor('signal');
      // Without waiting: call_started has the ICE servers that the customer answers the signal with.
      expect(customer.all('call_started')).toHaveLength(1);
      await staff.waitFor('call_assigned', (news) => news.call_id === call_id);
      await staff.waitFor('call_started', (news) => news.call_id === call_id);
    });
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`, {}), 200);
    customer.close();
    staff.close();
  });

  it('a customer can end the call', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
    const customer = await TestSocket.connect(test.url, websocket_token);
    await waitUntilOpen(customer);
    expect(await whileBusy(() => customer.send('end_call', { call_id }))).toMatchObject({ ok: true });
    customer.close();
  });

  it('the customer and the agent of a call in progress can reconnect', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
    await whileBusy(async () => {
      for (const token of [websocket_token, agent.token]) {
        (await TestSocket.connect(test.url, token)).close();
      }
    });
  });

  it('a waiting customer gets a snapshot and renews the token only after the call has been assigned', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(test.url, websocket_token);
    await waitUntilOpen(customer);
    const answers = () =>
      Promise.all([customer.send('snapshot'), customer.send('authenticate', { token: websocket_token })]);
    const { result: waiting, seconds } = await whileBusy(() => timed(answers));
    for (const ack of waiting) expect(ack).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(seconds).toBeLessThan(ORDINARY_WAIT_S);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    for (const ack of await whileBusy(answers)) expect(ack).toMatchObject({ ok: true });
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`, {}), 200);
    for (const ack of await whileBusy(answers)) {
      expect(ack).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    }
    customer.close();
  });

  it('the socket of a waiting customer is closed once it has waited for its time', async () => {
    const { websocket_token } = await tenant.join(link);
    const { seconds } = await whileBusy(() => {
      const socket = TestSocket.open(test.url, websocket_token);
      return timed(() => new Promise((resolve) => socket.io.once('disconnect', resolve)));
    });
    expect(seconds).toBeGreaterThan(0.9);
    expect(seconds).toBeLessThan(ORDINARY_WAIT_S);
  });
});

/** Runs `work` while a transaction has the lock that the joins of the department need. */
const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
  await test.db.query(`BEGIN; SELECT FROM departments WHERE id = '${department.id}' FOR UPDATE`);
  try {
    return await work();
  } finally {
    await test.db.query('COMMIT');
  }
};

/** Runs `work` while a transaction has the lock of the call. */
const whileCallLocked = async <T>(callId: string, work: () => Promise<T>): Promise<T> => {
  await test.db.query(`BEGIN; SELECT FROM calls WHERE id = '${callId}' FOR UPDATE`);
  try {
    return await work();
  } finally {
    await test.db.query('COMMIT');
  }
};

describe('while a department is locked', () => {
  let other: TestTenant;
  let otherLink: Json;
  const joinOther = () => test.api.post(`/api/v1/call/${otherLink.token}/join`, { name: 'Bia' });
  beforeAll(async () => {
    other = await TestTenant.register(test);
    ({ link: otherLink } = await other.queue());
  });

  it('joins to it get 503 in the end, and those of another company succeed at once', async () => {
    await whileLocked(async () => {
      const blocked = oneTo(10).map(() => timed(join));
      for (const _ of oneTo(10)) expectStatus(await joinOther(), 200);
      for (const { result, seconds } of await Promise.all(blocked)) {
        expectStatus(result, 503);
        expect(result.body.errors.code).toBe('unavailable');
        expect(Number(result.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(seconds).toBeLessThan(ORDINARY_WAIT_S);
      }
    });
    expectStatus(await join(), 200);
  });

  it('joins to it wait, and are served in the order in which they came', async () => {
    jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', 20_000);
    const turns = test.get(JoinQueue)['turns'];
    const waiting: ReturnType<typeof join>[] = [];
    await whileLocked(async () => {
      for (const count of oneTo(5)) {
        waiting.push(join());
        await until(() => turns.usersOf(department.id) === count);
      }
    });
    const answers = await Promise.all(waiting);
    for (const answer of answers) expectStatus(answer, 200);
    const positions = answers.map(({ body }) => body.data.position);
    expect(positions).toEqual(positions.toSorted((one, another) => one - another));
    expect(turns.usersOf(department.id)).toBe(0);
  });

  it('a customer who goes away leaves the line', async () => {
    const turns = test.get(JoinQueue)['turns'];
    const { rows: before } = await test.db.query('SELECT count(*)::int AS calls FROM calls');
    await whileLocked(async () => {
      const client = new AbortController();
      const path = `${test.url}/api/v1/call/${link.token}/join`;
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: '{"name":"Ana"}', signal: client.signal };
      const left = [fetch(path, init), fetch(path, init)].map((answer) => answer.catch(() => undefined));
      await until(() => turns.usersOf(department.id) === 2);
      client.abort();
      await Promise.all(left);
      await until(() => turns.usersOf(department.id) === 0);
    });
    const { rows: after } = await test.db.query('SELECT count(*)::int AS calls FROM calls');
    expect(after).toEqual(before);
  });
});

it('a join whose link is locked waits without a connection, and is served once the link is free', async () => {
  jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', 20_000);
  const { link: lockedLink } = await tenant.queue();
  const places = test.get(PoolAdmission)['places'];
  let answer: Promise<Answer> | undefined;
  let isAnswered = false;
  await test.db.query(`BEGIN; SELECT FROM access_links WHERE id = '${lockedLink.id}' FOR UPDATE`);
  try {
    answer = test.api.post(`/api/v1/call/${lockedLink.token}/join`, { name: 'Ana' });
    void answer.then(() => (isAnswered = true));
    // Its transaction begins again and again, and ends without the lock.
    for (const _ of oneTo(3)) {
      await until(() => places.usersOf(`public ${tenant.id}`) === 1);
      await until(() => places.usersOf(`public ${tenant.id}`) === 0);
    }
    expect(isAnswered).toBe(false);
  } finally {
    await test.db.query('COMMIT');
  }
  expectStatus(await answer, 200);
});

it('a join whose customer is locked does not keep others from the department', async () => {
  jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', 20_000);
  const contact = { name: 'Ana', email: 'ana@example.com' };
  const { call_id } = await tenant.join(link, contact);
  let isAnswered = false;
  const customer = `SELECT customer_id FROM calls WHERE id = '${call_id}'`;
  await test.db.query(`BEGIN; SELECT FROM customers WHERE id = (${customer}) FOR UPDATE`);
  const waiting = test.api.post(`/api/v1/call/${link.token}/join`, contact);
  try {
    void waiting.then(() => (isAnswered = true));
    await until(() => test.get(JoinQueue)['turns'].usersOf(department.id) === 1);
    for (const _ of oneTo(5)) expectStatus(await join(), 200);
    expect(isAnswered).toBe(false);
  } finally {
    await test.db.query('COMMIT');
  }
  expectStatus(await waiting, 200);
}, 30_000);

it('a join whose link is locked gets 503 before the page gives up', async () => {
  const { link: lockedLink } = await tenant.queue();
  jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', 6000);
  await test.db.query(`BEGIN; SELECT FROM access_links WHERE id = '${lockedLink.id}' FOR UPDATE`);
  try {
    const { result, seconds } = await timed(() =>
      test.api.post(`/api/v1/call/${lockedLink.token}/join`, { name: 'Ana' }),
    );
    expectStatus(result, 503);
    expect(seconds).toBeLessThan(7);
  } finally {
    await test.db.query('COMMIT');
    jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', PUBLIC_WAIT_S * 1000);
  }
}, 30_000);

describe('while the call of a customer is locked', () => {
  const report = { camera: 'ok', microphone: 'ok' };

  it.each([
    ['leave_queue', {}],
    ['request_callback', { channel: 'email', email: 'ana@example.com' }],
    ['cancel_callback', {}],
    ['device_report', report],
    ['end_call', {}],
  ])('%s of the customer holds no connection, and ends in time', async (event, body) => {
    jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', PUBLIC_WAIT_S * 1000);
    const { call_id, websocket_token } = await tenant.join(link);
    if (event === 'end_call') expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
    const customer = await TestSocket.connect(test.url, websocket_token);
    await waitUntilOpen(customer);
    const { result, seconds } = await whileCallLocked(call_id, () => timed(() => customer.send(event, body)));
    expect(result).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(seconds).toBeLessThan(ORDINARY_WAIT_S);
    customer.close();
  });

  it('resuming it ends in time', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const resume = () => test.api.post('/api/v1/call/resume', { websocket_token });
    const { result, seconds } = await whileCallLocked(call_id, () => timed(resume));
    expectStatus(result, 503);
    expect(seconds).toBeLessThan(ORDINARY_WAIT_S);
    expectStatus(await resume(), 200);
  });
});

it('the sites of the companies are read for all, although the client that needs them first goes away', async () => {
  const site = 'https://www.padaria.example';
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { allowed_sites: [site] }), 200);
  const request = { path: `/api/v1/call/${link.token}/validate`, ip: '198.51.100.1', socket: {} } as Request;
  const ask = (signal: AbortSignal) =>
    requestContext.run({ request_id: 'preflight', address: '198.51.100.1', signal }, () =>
      test.get(SiteOrigins).allows(site, request),
    );
  const first = new AbortController();
  const { second } = await whileBusy(async () => {
    const left = ask(first.signal);
    const waiting = ask(new AbortController().signal);
    first.abort(new Error('The client has left.'));
    void left;
    await new Promise(setImmediate);
    return { second: waiting };
  });
  expect(await second).toBe(true);
});

it('the sites of the companies stay allowed while they are read again, and if they cannot be read', async () => {
  const site = 'https://www.padaria.example';
  const sites = test.get(SiteOrigins);
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { allowed_sites: [site] }), 200);
  const request = { path: `/api/v1/call/${link.token}/validate`, ip: '198.51.100.1', socket: {} } as Request;
  expect(await sites.allows(site, request)).toBe(true);
  await whileBusy(async () => {
    test.clock.advance(10);
    const { result, seconds } = await timed(() => sites.allows(site, request));
    expect([result, seconds < 1]).toEqual([true, true]);
  });
  jest.spyOn(sites as never, 'selectSites').mockRejectedValue(new Error('The service is busy.') as never);
  test.clock.advance(120);
  expect(await sites.allows(site, request)).toBe(true);
  jest.restoreAllMocks();
  test.clock.reset();
});

it('of thirty customers who join at once, while agents take calls, all are served', async () => {
  jest.replaceProperty(test.get(PoolAdmission), 'publicWaitMs', 20_000);
  const queue = await tenant.queue({ max_queue_size: 50 });
  const joinQueue = () => test.api.post(`/api/v1/call/${queue.link.token}/join`, { name: 'Ana' });
  const { call_id } = await tenant.join(queue.link);
  const joined = Promise.all(oneTo(30).map(joinQueue));
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  const answers = await joined;
  for (const answer of answers) expectStatus(answer, 200);
  expect(new Set(answers.map(({ body }) => body.data.call_id)).size).toBe(30);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`, {}), 200);
});
