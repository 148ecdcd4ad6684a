import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

/** Everything that the sockets were sent before now has arrived. */
const settle = (...sockets: TestSocket[]) => Promise.all(sockets.map((socket) => socket.send('snapshot')));

/** A call as both sides live through it on their sockets. */
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
    const { department, link: entrance } = await tenant.queue({ max_queue_size: 100 });
    link = entrance;
    ana = await tenant.member('attendant', [department.id]);
    bob = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  const move = (id: string, action: string, who = ana, body?: object) =>
    who.api.post(`/api/v1/calls/${id}/${action}`, body);

  /** A customer and Ana, who has the call and has joined it. */
  async function assigned() {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    await move(call_id, 'assign');
    const staff = await connect(ana.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, staff };
  }

  it('its version grows by one with each change and stands on every event', async () => {
    const { call_id, customer, websocket_token, staff } = await assigned();
    await staff.send('signal', OFFER);
    await move(call_id, 'start');
    customer.close();
    await staff.waitFor('peer_disconnected');
    const back = await connect(websocket_token);
    await staff.waitFor('peer_reconnected');
    await move(call_id, 'complete');
    await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 });
    const rated = await staff.waitFor('call_updated', (news) => news.rating === 5);
    expect(rated).toMatchObject({ call_id, id: call_id, status: 'completed', version: 7 });
    expect((await callRow(test, call_id)).version).toBe(7);

    const told = [customer, staff, back]
      .flatMap((socket) => socket.received)
      .filter(({ payload }) => payload.call_id === call_id);
    for (const { payload } of told) {
      expect(payload).toEqual(
        expect.objectContaining({ version: expect.any(Number), at: expect.stringMatching(/Z$/) }),
      );
    }
    const versions = staff.received
      .filter(({ event, payload }) => event !== 'signal' && payload.call_id === call_id)
      .map(({ payload }) => payload.version);
    expect([...new Set(versions)]).toEqual([3, 4, 5, 6, 7]);
  });

  it('ends by end_call of the agent, or of the customer', async () => {
    for (const side of ['staff', 'customer'] as const) {
      const sockets = await assigned();
      const { call_id, customer, staff } = sockets;
      await move(call_id, 'start');
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
      const news = { call_id, status: 'completed', version: 4 };
      expect(await customer.waitFor('call_ended')).toMatchObject({ ...news, end_reason: 'normal' });
      expect(await staff.waitFor('call_ended')).toMatchObject({ ...news, id: call_id, user_id: ana.id });
      expect(await callRow(test, call_id)).toMatchObject({ status: 'completed', end_reason: 'normal' });
      const again = await sockets[side].send('end_call', { call_id });
      expect(again).toMatchObject({ ok: false, error: { code: 'invalid_transition' } });
    }
  });

  it('one agent has one after the other on the same socket, without naming them', async () => {
    const staff = await connect(ana.token);
    for (let turn = 1; turn <= 3; turn++) {
      const { call_id, websocket_token } = await tenant.join(link);
      const customer = await connect(websocket_token);
      await move(call_id, 'start');
      await staff.send('join_call', { call_id });
      expect(await staff.send('signal', OFFER)).toEqual({ ok: true });
      expect(await customer.waitFor('signal')).toMatchObject({ call_id, ...OFFER });
      expect(await staff.send('end_call')).toMatchObject({ ok: true, data: { call_id } });
    }
    const [one, other] = [await tenant.join(link), await tenant.join(link)];
    for (const { call_id } of [one, other]) {
      await move(call_id, 'start');
      await staff.send('join_call', { call_id });
    }
    const unclear = await staff.send('end_call');
    expect(unclear).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    expect(await staff.send('end_call', { call_id: one.call_id })).toMatchObject({ ok: true });
    expect((await callRow(test, other.call_id)).status).toBe('active');
    expect(await staff.send('end_call')).toMatchObject({ ok: true, data: { call_id: other.call_id } });
  });

  it('is left by leave_queue', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    const watching = await connect(bob.token);
    expect(await customer.send('leave_queue')).toEqual({ ok: true, data: { call_id, status: 'cancelled' } });
    const news = { call_id, status: 'cancelled', version: 2 };
    expect(await customer.waitFor('call_ended')).toMatchObject({ ...news, end_reason: 'abandoned' });
    await watching.waitFor('call_ended', (payload) => payload.call_id === call_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'cancelled', end_reason: 'abandoned' });
    expect(await customer.send('leave_queue')).toMatchObject({ ok: false });
  });

  it('handed over, the former agent is out of its room and the new one comes in', async () => {
    const { call_id, customer, staff } = await assigned();
    const next = await connect(bob.token);
    await move(call_id, 'assign', ana, { user_id: bob.id });
    await customer.waitFor('call_assigned', (news) => news.agent.name === bob.name && news.version === 3);
    await staff.waitFor('call_assigned', (news) => news.user_id === bob.id);

    const refused = await staff.send('signal', { call_id, ...OFFER });
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_your_call' } });
    expect(await staff.send('signal', OFFER)).toMatchObject({
      ok: false,
      error: { code: 'validation_failed' },
    });
    expect(await next.send('join_call', { call_id })).toMatchObject({ ok: true });
    await customer.send('signal', OFFER);
    await next.waitFor('signal');
    await settle(staff);
    expect(staff.all('signal')).toEqual([]);

    // Ana's leaving means nothing to the call any more; Bob's does.
    await move(call_id, 'start', bob);
    staff.close();
    await until(async () => {
      const { rows } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [ana.id]);
      return rows.length === 0;
    });
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', agent_grace_deadline: null });
    next.close();
    expect(await customer.waitFor('peer_disconnected')).toMatchObject({ participant: 'agent' });
  });

  it('tells staff of the department and supervisors, and nobody else', async () => {
    const elsewhere = await tenant.member('attendant', [(await tenant.department()).id]);
    const other = await TestTenant.register(test);
    const member = await connect(bob.token);
    const supervisor = await connect((await tenant.member('supervisor')).token);
    const outsiders = [await connect(elsewhere.token), await connect(other.owner.token)];
    const { call_id } = await tenant.join(link);
    for (const [action, event] of [
      ['assign', 'call_assigned'],
      ['start', 'call_started'],
      ['complete', 'call_ended'],
    ] as const) {
      const { body } = await move(call_id, action);
      for (const watching of [member, supervisor]) {
        const item = await watching.waitFor(event, (news) => news.call_id === call_id);
        expect(item).toMatchObject({ id: call_id, status: body.data.status, user_name: ana.name });
        expect(item).toHaveProperty('customer_name');
      }
    }
    await settle(...outsiders);
    for (const outsider of outsiders) {
      expect(outsider.received.filter(({ payload }) => payload.call_id === call_id)).toEqual([]);
    }
  });
});
