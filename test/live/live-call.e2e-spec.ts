import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';
import { DELIVERED } from '../support/sockets/signals';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

/** Messages that do not change the call. */
const UNVERSIONED = new Set(['signal', 'peer_ready']);

/** Waits until the sockets have received everything that was sent before: the acknowledgement comes last. */
const flush = (...sockets: TestSocket[]) => Promise.all(sockets.map((socket) => socket.send('snapshot')));

/** A call as both sides see it on their sockets. */
describe('a call on the socket', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  let ana: Member;
  let bob: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    const { department, link: queueLink } = await tenant.queue({ max_queue_size: 100 });
    link = queueLink;
    ana = await tenant.member('attendant', [department.id]);
    bob = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  const transition = (id: string, action: string, member = ana, body?: object) =>
    member.api.post(`/api/v1/calls/${id}/${action}`, body);

  /** An assigned call with the sockets of the customer and of Ana, its agent, who has joined it. */
  async function assignedCall() {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    await transition(call_id, 'assign');
    const staff = await connect(ana.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, staff };
  }

  it('increments its version with each change and sends it with every event', async () => {
    const { call_id, customer, websocket_token, staff } = await assignedCall();
    await staff.send('signal', OFFER);
    await transition(call_id, 'start');
    customer.close();
    await staff.waitFor('peer_disconnected');
    const reconnected = await connect(websocket_token);
    await staff.waitFor('peer_reconnected');
    await transition(call_id, 'complete');
    await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 });
    const rated = await staff.waitFor('call_updated', (update) => update.rating === 5);
    expect(rated).toMatchObject({ call_id, id: call_id, status: 'completed', version: 7 });
    expect((await callRow(test, call_id)).version).toBe(7);

    const received = [customer, staff, reconnected]
      .flatMap((socket) => socket.received)
      .filter(({ payload }) => payload.call_id === call_id);
    for (const { payload } of received) {
      expect(payload).toEqual(
        expect.objectContaining({ version: expect.any(Number), at: expect.stringMatching(/Z$/) }),
      );
    }
    const versions = staff.received
      .filter(({ event, payload }) => !UNVERSIONED.has(event) && payload.call_id === call_id)
      .map(({ payload }) => payload.version);
    expect([...new Set(versions)]).toEqual([3, 4, 5, 6, 7]);
  });

  it('ends when the agent or the customer sends end_call', async () => {
    for (const side of ['staff', 'customer'] as const) {
      const sockets = await assignedCall();
      const { call_id, customer, staff } = sockets;
      await transition(call_id, 'start');
      const ack = await sockets[side].send('end_call');
      expect(ack).toEqual({
        ok: true,
        data: {
          call_id,
          status: 'completed',
          end_reason: 'normal',
          completed_at: expect.stringMatching(/Z$/),
        },
      });
      const expected = { call_id, status: 'completed', version: 4 };
      expect(await customer.waitFor('call_ended')).toMatchObject({ ...expected, end_reason: 'normal' });
      expect(await staff.waitFor('call_ended')).toMatchObject({ ...expected, id: call_id, user_id: ana.id });
      expect(await callRow(test, call_id)).toMatchObject({ status: 'completed', end_reason: 'normal' });
      const row = await callRow(test, call_id);
      for (const other of ['staff', 'customer'] as const)
        expect(await sockets[other].send('end_call', { call_id })).toEqual(ack);
      expect(await callRow(test, call_id)).toEqual(row);
      const notes = { notes: `Ended by the ${side}` };
      const completed = await ana.api.post(`/api/v1/calls/${call_id}/complete`, notes);
      expect(completed.body.data).toMatchObject({ id: call_id, status: 'completed' });
      expect(await callRow(test, call_id)).toMatchObject({ ...notes, end_reason: 'normal' });
    }
  });

  it('needs no call_id in the events of an agent who has joined only this call', async () => {
    const staff = await connect(ana.token);
    for (let round = 1; round <= 3; round++) {
      const { call_id, websocket_token } = await tenant.join(link);
      const customer = await connect(websocket_token);
      await transition(call_id, 'start');
      await staff.send('join_call', { call_id });
      expect(await staff.send('signal', OFFER)).toEqual(DELIVERED);
      expect(await customer.waitFor('signal')).toMatchObject({ call_id, ...OFFER });
      expect(await staff.send('end_call')).toMatchObject({ ok: true, data: { call_id } });
    }
    const [one, other] = [await tenant.join(link), await tenant.join(link)];
    for (const { call_id } of [one, other]) {
      await transition(call_id, 'start');
      await staff.send('join_call', { call_id });
    }
    const ambiguous = await staff.send('end_call');
    expect(ambiguous).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    expect(await staff.send('end_call', { call_id: one.call_id })).toMatchObject({ ok: true });
    expect((await callRow(test, other.call_id)).status).toBe('active');
    expect(await staff.send('end_call')).toMatchObject({ ok: true, data: { call_id: other.call_id } });
  });

  it('is cancelled when the customer sends leave_queue', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    const watcher = await connect(bob.token);
    expect(await customer.send('leave_queue')).toEqual({ ok: true, data: { call_id, status: 'cancelled' } });
    const expected = { call_id, status: 'cancelled', version: 2 };
    expect(await customer.waitFor('call_ended')).toMatchObject({ ...expected, end_reason: 'abandoned' });
    await watcher.waitFor('call_ended', (payload) => payload.call_id === call_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'cancelled', end_reason: 'abandoned' });
    expect(await customer.send('leave_queue')).toEqual({ ok: true, data: { call_id, status: 'cancelled' } });
  });

  it('removes its former agent from its room and admits the new one when it is reassigned', async () => {
    const { call_id, customer, staff } = await assignedCall();
    const bobSocket = await connect(bob.token);
    await transition(call_id, 'assign', ana, { user_id: bob.id });
    await customer.waitFor(
      'call_assigned',
      (assignment) => assignment.agent.name === bob.name && assignment.version === 3,
    );
    await staff.waitFor('call_assigned', (assignment) => assignment.user_id === bob.id);

    const refused = await staff.send('signal', { call_id, ...OFFER });
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_your_call' } });
    expect(await staff.send('signal', OFFER)).toMatchObject({
      ok: false,
      error: { code: 'validation_failed' },
    });
    expect(await bobSocket.send('join_call', { call_id })).toMatchObject({ ok: true });
    await customer.send('signal', OFFER);
    await bobSocket.waitFor('signal');
    await flush(staff);
    expect(staff.all('signal')).toEqual([]);

    // Only the disconnection of Bob affects the call now, not that of Ana.
    await transition(call_id, 'start', bob);
    staff.close();
    await until(async () => {
      const { rows } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [ana.id]);
      return rows.length === 0;
    });
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', agent_grace_deadline: null });
    bobSocket.close();
    expect(await customer.waitFor('peer_disconnected')).toMatchObject({ participant: 'agent' });
  });

  it('sends its events only to staff of the department and supervisors', async () => {
    const otherDepartmentAgent = await tenant.member('attendant', [(await tenant.department()).id]);
    const other = await TestTenant.register(test);
    const member = await connect(bob.token);
    const supervisor = await connect((await tenant.member('supervisor')).token);
    const outsiders = [await connect(otherDepartmentAgent.token), await connect(other.owner.token)];
    const { call_id } = await tenant.join(link);
    for (const [action, event] of [
      ['assign', 'call_assigned'],
      ['start', 'call_started'],
      ['complete', 'call_ended'],
    ] as const) {
      const { body } = await transition(call_id, action);
      for (const watcher of [member, supervisor]) {
        const item = await watcher.waitFor(event, (payload) => payload.call_id === call_id);
        expect(item).toMatchObject({ id: call_id, status: body.data.status, user_name: ana.name });
        expect(item).toHaveProperty('customer_name');
      }
    }
    await flush(...outsiders);
    for (const outsider of outsiders) {
      expect(outsider.received.filter(({ payload }) => payload.call_id === call_id)).toEqual([]);
    }
  });
});
