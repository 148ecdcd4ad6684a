import { SessionStateCache } from '../../src/identity/sessions/session-state-cache';
import { AccessChanged } from '../../src/identity/sessions/session.events';
import { CallAccess } from '../../src/calls/staff/call-access';
import { Database } from '../../src/platform/database/database';
import { EventBus } from '../../src/platform/events/event-bus';
import { type Member, TestTenant } from '../support/builders';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { DELIVERED } from '../support/sockets/signals';

const offer = (sdp: string) => ({ description: { type: 'offer', sdp } });
const OFFER = offer('v=0\r\n');

const refusedWith = (code: string) => ({ ok: false, error: { code, detail: expect.any(String) } });

/** Waits until the sockets have received everything that was sent before: the acknowledgement comes last. */
const flush = (...sockets: TestSocket[]) => Promise.all(sockets.map((socket) => socket.send('snapshot')));

/** Sends one signal after another until one of them fails or the socket is closed. */
class SignalFlow {
  relayed = 0;
  private readonly ended: Promise<Json>;

  constructor(
    private readonly socket: TestSocket,
    private readonly callId: string,
  ) {
    this.ended = this.run();
  }

  private async run(): Promise<Json> {
    const closed = new Promise<undefined>((resolve) =>
      this.socket.io.once('disconnect', () => resolve(undefined)),
    );
    for (;;) {
      const sent = this.socket.send('signal', { call_id: this.callId, ...OFFER });
      const ack = await Promise.race([sent, closed]);
      if (!ack?.ok) return ack;
      this.relayed++;
    }
  }

  /** Waits until signals flow. */
  async started(): Promise<void> {
    await until(() => this.relayed > 20);
  }

  /** @returns the acknowledgement of the signal that failed, or undefined if the socket was closed */
  end(): Promise<Json> {
    return this.ended;
  }
}

/** The names of the events that follow the last one with the given name. */
function eventsAfter(socket: TestSocket, name: string): string[] {
  const names = socket.received.map(({ event }) => event);
  expect(names).toContain(name);
  return names.slice(names.lastIndexOf(name) + 1);
}

describe('signals', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  let ana: Member;
  let bob: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await startTestApp({ env: { SOCKET_RATE_LIMIT: '100000' } });
    tenant = await TestTenant.register(test);
    const { department, link: queueLink } = await tenant.queue({ max_queue_size: 100 });
    link = queueLink;
    ana = await tenant.member('attendant', [department.id]);
    bob = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());
  afterEach(() => {
    jest.restoreAllMocks();
    test.clock.resume();
  });

  const transition = (id: string, action: string, member = ana, body?: object) =>
    member.api.post(`/api/v1/calls/${id}/${action}`, body);

  /** An assigned call with the sockets of the customer and of its agent, who has joined it. */
  async function assignedCall(agent = ana) {
    const { call_id, websocket_token } = await tenant.join(link);
    await transition(call_id, 'assign', agent);
    const customer = await connect(websocket_token);
    const staff = await connect(agent.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, customer, staff };
  }

  /** As assignedCall, with signals in both directions. */
  async function flowingCall(agent = ana) {
    const call = await assignedCall(agent);
    const flows = [
      new SignalFlow(call.customer, call.call_id),
      new SignalFlow(call.staff, call.call_id),
    ] as const;
    for (const flow of flows) await flow.started();
    return { ...call, flows };
  }

  it('do not read the call each time', async () => {
    const { customer, staff } = await assignedCall();
    for (const side of [customer, staff]) expect(await side.send('signal', OFFER)).toEqual(DELIVERED);
    const read = jest.spyOn(test.get(CallAccess), 'statesOf');
    for (const _ of oneTo(50)) {
      for (const side of [customer, staff]) expect(await side.send('signal', OFFER)).toEqual(DELIVERED);
    }
    expect(read.mock.calls.length).toBeLessThan(50);
  });

  it('are relayed by state that is at most 2 s old', async () => {
    const { call_id, customer, staff } = await assignedCall();
    for (const _ of oneTo(2)) expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    // No event announces this change.
    await test.db.query('UPDATE calls SET version = 100 WHERE id = $1', [call_id]);
    test.clock.advance(2);
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await staff.waitFor('signal', ({ version }) => version === 100);
  });

  it('are relayed by state that is read for several calls together before it is too old', async () => {
    test.clock.stop();
    const calls = [await assignedCall(), await assignedCall(bob)];
    const ids = calls.map(({ call_id }) => call_id);
    const sendAll = () => Promise.all(calls.map(({ customer }) => customer.send('signal', OFFER)));
    await sendAll();
    const read = jest.spyOn(test.get(CallAccess), 'statesOf');
    // No event announces this change.
    await test.db.query('UPDATE calls SET version = 100 WHERE id = ANY ($1)', [ids]);
    test.clock.advance(1.5);
    expect(await sendAll()).toEqual([DELIVERED, DELIVERED]);
    await until(() => read.mock.calls.length > 0);
    expect(read.mock.calls).toEqual([[expect.arrayContaining(ids)]]);
    await read.mock.results[0]?.value;
    expect(await sendAll()).toEqual([DELIVERED, DELIVERED]);
    for (const { staff } of calls) await staff.waitFor('signal', ({ version }) => version === 100);
  });

  it('have the version of the call from its changes on', async () => {
    const { call_id, customer, staff } = await assignedCall();
    expect(await customer.send('signal', offer('before'))).toEqual(DELIVERED);
    const { version } = await staff.waitFor('signal');
    await transition(call_id, 'start');
    expect(await customer.send('signal', offer('after'))).toEqual(DELIVERED);
    const after = await staff.waitFor('signal', ({ description }) => description.sdp === 'after');
    expect(after.version).toBe(version + 1);
  });

  it('of a socket arrive in their order, however long each takes to check', async () => {
    const { customer, staff } = await assignedCall();
    expect(await customer.send('signal', offer('0'))).toEqual(DELIVERED);
    const acks = oneTo(60).map((number) => {
      // Unknown fields are dropped, which takes longer.
      const more = number % 3 === 0 ? { unknown: { field: number } } : {};
      return customer.send('signal', { ...offer(String(number)), ...more });
    });
    for (const ack of await Promise.all(acks)) expect(ack).toEqual(DELIVERED);
    await flush(staff);
    const received = staff.all('signal').map(({ description }) => description.sdp);
    expect(received).toEqual(['0', ...oneTo(60).map(String)]);
    expect(staff.all('signal')[3]).not.toHaveProperty('unknown');
  });

  it('stop at once when the call ends', async () => {
    const { call_id, customer, staff, flows } = await flowingCall();
    expect((await transition(call_id, 'complete')).status).toBe(200);
    const atTheEnd = flows.map(({ relayed }) => relayed);
    for (const flow of flows) expect(await flow.end()).toEqual(refusedWith('invalid_state'));
    // The acknowledgement of one may have been on its way.
    for (const { relayed } of flows) expect(relayed).toBeLessThanOrEqual((atTheEnd.shift() ?? 0) + 1);
    expect(await customer.send('signal', OFFER)).toEqual(refusedWith('invalid_state'));
    expect(await staff.send('signal', { call_id, ...OFFER })).toEqual(refusedWith('invalid_state'));
    expect(eventsAfter(customer, 'call_ended')).not.toContain('signal');
  });

  it('stop at once when the call is handed over, in both directions', async () => {
    const { call_id, customer, staff, flows } = await flowingCall();
    const [, fromAgent] = flows;
    const next = await connect(bob.token);
    expect((await transition(call_id, 'assign', tenant.owner, { user_id: bob.id })).status).toBe(200);
    await flush(staff);
    const received = staff.all('signal').length;
    expect(await fromAgent.end()).toMatchObject({ ok: false });
    expect(await staff.send('signal', { call_id, ...OFFER })).toEqual(refusedWith('not_your_call'));
    // The customer's signals go to the new agent.
    await next.waitFor('signal');
    await flush(customer, staff);
    expect(staff.all('signal')).toHaveLength(received);
    expect(eventsAfter(customer, 'call_assigned')).not.toContain('signal');
  });

  it.each<[string, (agent: Member) => Promise<unknown>]>([
    ['their session is revoked', (agent) => agent.api.post('/api/auth/logout')],
    [
      'their user is deactivated',
      (agent) => tenant.owner.api.put(`/api/v1/users/${agent.id}`, { active: false }),
    ],
  ])('of an agent stop at once when %s', async (_title, revoke) => {
    const agent = await tenant.member('attendant', [link.department_id]);
    const { customer, staff, flows } = await flowingCall(agent);
    await revoke(agent);
    await flush(customer);
    const received = customer.all('signal').length;
    const ack = await flows[1].end();
    if (ack) expect(ack).toEqual(refusedWith('session_ended'));
    await until(() => !staff.io.connected);
    await flush(customer);
    expect(customer.all('signal')).toHaveLength(received);
  });

  it('of an agent are relayed by a session that was read at most 2 s ago', async () => {
    const agent = await tenant.member('attendant', [link.department_id]);
    const { customer, staff } = await assignedCall(agent);
    for (const _ of oneTo(2)) expect(await staff.send('signal', OFFER)).toEqual(DELIVERED);
    // No event announces this change, as with a change by the command line.
    await test.db.query('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [agent.id]);
    test.clock.advance(2.1);
    expect(await staff.send('signal', OFFER)).toEqual(refusedWith('session_ended'));
    await flush(customer);
    expect(customer.all('signal')).toHaveLength(2);
  });

  it('of an agent stop at once when the tenant is suspended', async () => {
    const company = await TestTenant.register(test);
    const { department, link: queueLink } = await company.queue();
    const agent = await company.member('attendant', [department.id]);
    const { call_id, websocket_token } = await company.join(queueLink);
    await transition(call_id, 'assign', agent);
    const customer = await connect(websocket_token);
    const staff = await connect(agent.token);
    await staff.send('join_call', { call_id });
    const flow = new SignalFlow(staff, call_id);
    await flow.started();
    // The sockets of the tenant are disconnected after a read, which takes long here.
    const sessions = test.get(SessionStateCache);
    const findUnusable = sessions.findUnusable.bind(sessions);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    jest.spyOn(sessions, 'findUnusable').mockImplementation((ids) => released.then(() => findUnusable(ids)));
    await test.get(Database).tenant(company.id, async (tx) => {
      await tx.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [company.id]);
      const event = new AccessChanged(company.id, company.id, new Date().toISOString());
      await test.get(EventBus).record(tx, event);
    });
    const { relayed } = flow;
    expect(await flow.end()).toEqual(refusedWith('session_ended'));
    expect(flow.relayed - relayed).toBeLessThanOrEqual(1);
    release();
    await until(() => !staff.io.connected);
    await flush(customer);
    expect(customer.all('signal')).toHaveLength(flow.relayed);
  });

  it('of an agent continue with another role', async () => {
    const agent = await tenant.member('attendant', [link.department_id]);
    const { staff } = await assignedCall(agent);
    expect(await staff.send('signal', OFFER)).toEqual(DELIVERED);
    const { status } = await tenant.owner.api.put(`/api/v1/users/${agent.id}`, { role: 'supervisor' });
    expect(status).toBe(200);
    expect(await staff.send('signal', OFFER)).toEqual(DELIVERED);
  });

  it('go to all sockets of the agent as soon as the one that had joined is closed', async () => {
    const agent = await tenant.member('attendant', [link.department_id]);
    const { call_id, customer, staff } = await assignedCall(agent);
    const other = await connect(agent.token);
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await staff.waitFor('signal');
    staff.close();
    await until(async () => {
      const joined = await test.db.query('SELECT FROM connections WHERE call_id = $1 AND user_id = $2', [
        call_id,
        agent.id,
      ]);
      return joined.rowCount === 0;
    });
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await other.waitFor('signal');
    expect(other.all('signal')).toHaveLength(1);
  });

  it('accept the id of the call in any case', async () => {
    const { call_id, customer, staff } = await assignedCall();
    for (const _ of oneTo(3))
      expect(await staff.send('signal', { call_id: call_id.toUpperCase(), ...OFFER })).toEqual(DELIVERED);
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await staff.waitFor('signal');
    expect(customer.all('signal')).toHaveLength(3);
  });
});
