import { someId } from '../support/builders';
import { flush, SDP_OFFER, sessionsOf, SignalledCalls } from '../support/contexts/signalled-calls';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import { DELIVERED, UNDELIVERED } from '../support/sockets/signals';
import { TestSocket } from '../support/sockets/socket';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let calls: SignalledCalls;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  calls = await SignalledCalls.create(test, connect);
});

afterAll(() => test.close());

describe('peer_ready', () => {
  it('tells both sides of both pages, whichever joins last', async () => {
    const { call_id, websocket_token } = await calls.join();
    const customer = await calls.page(websocket_token, 'page-1');
    const staff = await calls.page(calls.agent.token, 'console-1');
    await flush(customer, staff);
    expect([customer, staff].flatMap((socket) => socket.all('peer_ready'))).toEqual([]);

    // The agent has not joined, but learns at once that the customer is there.
    await calls.transition(call_id, 'assign');
    expect(await staff.waitFor('peer_ready')).toEqual({
      call_id,
      at: expect.any(String),
      version: 2,
      participant: 'customer',
      session: 'page-1',
    });
    await customer.waitFor('peer_ready');
    expect(sessionsOf(customer, 'agent')).toEqual([]);

    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    await flush(customer);
    for (const socket of [customer, staff]) {
      expect(sessionsOf(socket, 'agent')).toEqual(['console-1']);
      expect(sessionsOf(socket, 'customer')).toEqual(['page-1', 'page-1']);
    }
  });

  it('is sent when a customer connects to an assigned or active call', async () => {
    const { call_id, websocket_token, customer, staff } = await calls.assigned();
    customer.close();
    const back = await calls.page(websocket_token, 'page-1');
    await back.waitFor('peer_ready', ({ participant }) => participant === 'agent');
    await flush(staff);
    // The same page is back after a lost connection, then the page is loaded again.
    expect(sessionsOf(staff, 'customer')).toEqual(['page-1', 'page-1']);
    await calls.transition(call_id, 'start');
    back.close();
    const reloaded = await calls.page(websocket_token, 'page-2');
    const ready = await staff.waitFor('peer_ready', ({ session }) => session === 'page-2');
    expect(ready).toMatchObject({ call_id, participant: 'customer', version: expect.any(Number) });
    expect(await reloaded.waitFor('peer_ready', ({ participant }) => participant === 'agent')).toMatchObject({
      session: 'console-1',
      version: ready.version,
    });
  });

  it('is sent when an agent joins by their first signal, with the id of a socket that has no session', async () => {
    const { call_id, websocket_token } = await calls.join();
    await calls.transition(call_id, 'assign');
    const [customer, staff] = [await connect(websocket_token), await connect(calls.agent.token)];
    expect(await staff.send('signal', { call_id, ...SDP_OFFER })).toEqual(DELIVERED);
    await customer.waitFor('signal');
    // Perhaps twice: that the customer connected may be announced only now.
    expect(new Set(sessionsOf(customer, 'agent'))).toEqual(new Set([staff.io.id]));
    expect(sessionsOf(staff, 'customer').at(-1)).toBe(customer.io.id);
    const names = customer.received.map(({ event }) => event);
    expect(names.lastIndexOf('peer_ready')).toBeLessThan(names.indexOf('signal'));
  });

  it('has the session of the last join_call', async () => {
    const { call_id, customer, staff } = await calls.assigned();
    expect(await staff.send('join_call', { call_id, session: 'console-2' })).toMatchObject({ ok: true });
    expect(await staff.send('join_call', { call_id, session: null })).toMatchObject({ ok: true });
    await flush(customer);
    expect(sessionsOf(customer, 'agent')).toEqual(['console-1', 'console-2', 'console-2']);
  });

  it('keeps the session of a page that fails to join', async () => {
    const { call_id, customer, staff } = await calls.assigned();
    const unknown = { call_id: someId(), session: 'console-2' };
    expect(await staff.send('join_call', unknown)).toMatchObject({ error: { code: 'not_found' } });
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    await flush(customer);
    expect(sessionsOf(customer, 'agent')).toEqual(['console-1', 'console-1']);
  });

  it('goes to the tab of the agent that joined last; the one before it learns of that tab', async () => {
    const { call_id, websocket_token, staff } = await calls.assigned();
    const idle = await calls.page(calls.agent.token, 'console-2');
    const joined = await calls.page(calls.agent.token, 'console-3');
    expect(await joined.send('join_call', { call_id })).toMatchObject({ ok: true });
    await calls.page(websocket_token, 'page-2');
    await joined.waitFor('peer_ready', ({ session }) => session === 'page-2');
    await flush(idle, staff);
    expect(idle.all('peer_ready')).toEqual([]);
    expect(sessionsOf(staff, 'agent').at(-1)).toBe('console-3');
    expect(sessionsOf(staff, 'customer')).not.toContain('page-2');
  });

  it.each(['agent', 'customer'] as const)(
    'leads back to the earlier page of the %s when the latest one is closed',
    async (side) => {
      const { call_id, websocket_token, customer, staff } = await calls.assigned();
      const [earlier, other] = side === 'agent' ? [staff, customer] : [customer, staff];
      const latest = await calls.page(side === 'agent' ? calls.agent.token : websocket_token, 'latest');
      if (side === 'agent') expect(await latest.send('join_call', { call_id })).toMatchObject({ ok: true });
      await other.waitFor('peer_ready', ({ session }) => session === 'latest');
      latest.close();
      const session = side === 'agent' ? 'console-1' : 'page-1';
      for (const socket of [earlier, other])
        await until(async () => sessionsOf(socket, side).at(-1) === session);
      expect(await other.send('signal', { call_id, ...SDP_OFFER })).toEqual(DELIVERED);
      await earlier.waitFor('signal');
    },
  );

  it('is not sent again when an earlier page is closed', async () => {
    const { call_id, customer, staff } = await calls.assigned();
    const latest = await calls.page(calls.agent.token, 'latest');
    expect(await latest.send('join_call', { call_id })).toMatchObject({ ok: true });
    await customer.waitFor('peer_ready', ({ session }) => session === 'latest');
    const before = customer.all('peer_ready').length;
    const { id = '' } = staff.io;
    staff.close();
    await until(async () => {
      const { rows } = await test.db.query('SELECT FROM connections WHERE socket_id = $1', [id]);
      return rows.length === 0;
    });
    await flush(customer, latest);
    expect(customer.all('peer_ready')).toHaveLength(before);
  });

  it.each(['assigned', 'active'])('leads to the new agent of a call that was %s', async (status) => {
    const { call_id, customer, staff } = await calls.assigned();
    if (status === 'active') await calls.transition(call_id, 'start');
    const next = await calls.tenant.member('attendant', [calls.department.id]);
    const taking = await calls.page(next.token, 'console-9');
    await flush(staff);
    const before = staff.all('peer_ready').length;
    const body = { user_id: next.id };
    if (status === 'active') {
      await calls.transition(call_id, 'transfer', calls.agent, body);
      const { offer } = await taking.waitFor('offer');
      expect(await taking.send('accept_offer', { offer_id: offer.id })).toMatchObject({ ok: true });
    } else {
      await calls.transition(call_id, 'assign', calls.tenant.owner, body);
    }
    await taking.waitFor('peer_ready', ({ session }) => session === 'page-1');
    expect(await taking.send('join_call', { call_id })).toMatchObject({ ok: true });
    await customer.waitFor('peer_ready', ({ session }) => session === 'console-9');
    await flush(staff);
    expect(staff.all('peer_ready')).toHaveLength(before);
    expect(sessionsOf(taking, 'agent')).toEqual(['console-9']);
  });

  it.each([[''], ['x'.repeat(65)], ['a b'], [7], [{}]])('refuses %j as a session', async (session) => {
    const { call_id, websocket_token } = await calls.join();
    await calls.transition(call_id, 'assign');
    const options = { auth: { token: websocket_token, session } };
    await expect(TestSocket.connect(test.url, websocket_token, options)).rejects.toMatchObject({
      data: { code: 'validation_failed' },
    });
    const staff = await connect(calls.agent.token);
    expect(await staff.send('join_call', { call_id, session })).toMatchObject({
      ok: false,
      error: { code: 'validation_failed' },
    });
  });
});

describe('a signal', () => {
  it('is delivered if the other side has a socket that gets it', async () => {
    const { call_id, websocket_token } = await calls.join();
    await calls.transition(call_id, 'assign');
    const customer = await calls.page(websocket_token, 'page-1');
    const candidate = { candidate: { candidate: 'candidate:1', sdpMid: '0' } };
    // The first signals of a socket are handled by the gateway, the next ones are not.
    for (const _ of [1, 2, 3]) expect(await customer.send('signal', candidate)).toEqual(UNDELIVERED);
    const idle = await calls.page(calls.agent.token, 'console-1');
    expect(await customer.send('signal', candidate)).toEqual(DELIVERED);
    await idle.waitFor('signal');
    for (const _ of [1, 2, 3])
      expect(await idle.send('signal', { call_id, ...SDP_OFFER })).toEqual(DELIVERED);
    customer.close();
    await until(async () => (await idle.send('signal', SDP_OFFER)).data.delivered === false);
    expect(await idle.send('signal', SDP_OFFER)).toEqual(UNDELIVERED);
    await calls.page(websocket_token, 'page-1');
    expect(await idle.send('signal', SDP_OFFER)).toEqual(DELIVERED);
  });
});

describe('renegotiate', () => {
  it('asks the socket of the agent that has joined, for a customer alone', async () => {
    const { call_id, customer, staff } = await calls.assigned();
    const idle = await calls.page(calls.agent.token, 'console-2');
    expect(await customer.send('renegotiate', {})).toEqual(DELIVERED);
    expect(await staff.waitFor('renegotiate')).toEqual({
      call_id,
      at: expect.any(String),
      version: 2,
      from: 'customer',
    });
    await flush(idle, customer);
    expect([...idle.all('renegotiate'), ...customer.all('renegotiate')]).toEqual([]);
    expect(await staff.send('renegotiate', { call_id })).toMatchObject({ error: { code: 'forbidden' } });
    expect(await customer.send('renegotiate', { call_id: 7 })).toMatchObject({
      error: { code: 'validation_failed' },
    });
    await calls.transition(call_id, 'complete');
    expect(await customer.send('renegotiate')).toMatchObject({ error: { code: 'invalid_state' } });
  });

  it('says if no socket of the agent is open, and is refused while the customer waits', async () => {
    const agent = await calls.tenant.member('attendant', [calls.department.id]);
    const { call_id, websocket_token } = await calls.join();
    const customer = await calls.page(websocket_token, 'page-1');
    expect(await customer.send('renegotiate', {})).toMatchObject({ error: { code: 'invalid_state' } });
    await calls.transition(call_id, 'assign', agent);
    expect(await customer.send('renegotiate', {})).toEqual(UNDELIVERED);
  });

  it.each(['renegotiate', 'signal', 'end_call', 'chat_message'])(
    'and %s are refused for another call than that of the socket',
    async (event) => {
      const { customer, staff } = await calls.assigned();
      const before = staff.received.length;
      const content = event === 'signal' ? SDP_OFFER : { text: 'Hello' };
      expect(await customer.send(event, { call_id: someId(), ...content })).toMatchObject({
        error: { code: 'validation_failed' },
      });
      await flush(staff);
      const relayed = staff.received.slice(before).map((message) => message.event);
      // Of the call itself; what is said of the line comes when it comes.
      const ofTheLine = ['peer_ready', 'queue_updated'];
      expect(relayed.filter((name) => !ofTheLine.includes(name))).toEqual([]);
    },
  );

  it('counts for the rate limit, as every event', async () => {
    const { customer } = await calls.assigned();
    const acks = await Promise.all(Array.from({ length: 250 }, () => customer.send('renegotiate', {})));
    expect(acks.filter(({ error }) => error?.code === 'rate_limited').length).toBeGreaterThan(0);
  });
});
