import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sweep } from '../support/contexts/sweep';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('a participant who disconnects from an active call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let department: Json;
  let link: Json;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 100 }));
    agent = await tenant.member('attendant', [department.id]);
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  const transition = (id: string, action: string) => agent.api.post(`/api/v1/calls/${id}/${action}`);

  /** An assigned call with both sides on the socket. */
  async function assignedCall() {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    await transition(call_id, 'assign');
    const staff = await connect(agent.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, staff };
  }

  async function startedCall() {
    const call = await assignedCall();
    await transition(call.call_id, 'start');
    await call.customer.waitFor('call_started');
    return call;
  }

  const sweepAfter = async (seconds: number) => {
    test.clock.advance(seconds);
    await sweep(test);
  };

  const waitForColumn = (id: string, column: string) =>
    until(async () => {
      const row = await callRow(test, id);
      return row[column] !== null && row;
    });

  it.each(['customer', 'agent'] as const)(
    'ends the call 60 s later and notifies the other side, as %s',
    async (participant) => {
      const { call_id, customer, staff } = await startedCall();
      const [leaving, staying] = participant === 'customer' ? [customer, staff] : [staff, customer];
      test.clock.stop();
      leaving.close();
      const disconnection = await staying.waitFor('peer_disconnected');
      const row = await waitForColumn(call_id, `${participant}_grace_deadline`);
      expect(disconnection).toEqual({
        call_id,
        at: row.disconnected_at.toISOString(),
        version: 4,
        participant,
        disconnected_at: row.disconnected_at.toISOString(),
        grace_seconds: 60,
        deadline: row.next_deadline.toISOString(),
      });
      expect(row.next_deadline.getTime() - row.disconnected_at.getTime()).toBe(60_000);

      await sweepAfter(59);
      expect((await callRow(test, call_id)).status).toBe('active');
      await sweepAfter(2);
      const endedRow = await callRow(test, call_id);
      expect(endedRow).toMatchObject({ status: 'completed', end_reason: 'disconnect', reconnected_at: null });
      expect(endedRow.completed_at).toEqual(endedRow.ended_at);
      expect(endedRow.duration).toBeGreaterThanOrEqual(60);
      const ended = await staying.waitFor('call_ended');
      expect(ended).toMatchObject({ call_id, status: 'completed', version: 5 });
      if (participant === 'agent') expect(ended.end_reason).toBe('disconnect');
    },
  );

  it('continues the call by reconnecting in time, as customer, and each side is notified once', async () => {
    const { call_id, websocket_token, customer, staff } = await startedCall();
    customer.close();
    await staff.waitFor('peer_disconnected');
    const reconnected = await connect(websocket_token);
    expect(reconnected.received[0]?.payload).toMatchObject({
      status: 'active',
      version: 5,
      grace_deadline: null,
    });
    const notifications = [
      await staff.waitFor('peer_reconnected'),
      await reconnected.waitFor('peer_reconnected'),
    ];
    const { reconnected_at } = await callRow(test, call_id);
    const expected = {
      call_id,
      participant: 'customer',
      reconnected_at: reconnected_at.toISOString(),
      version: 5,
    };
    for (const notification of notifications)
      expect(notification).toEqual({ ...expected, at: expected.reconnected_at });
    await sweepAfter(100);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', end_reason: null });
    expect(staff.all('peer_reconnected')).toHaveLength(1);
    expect(reconnected.all('peer_reconnected')).toHaveLength(1);
  });

  it('continues the call by reconnecting in time, as agent, and each side is notified once', async () => {
    const { call_id, customer, staff } = await startedCall();
    staff.close();
    expect(await customer.waitFor('peer_disconnected')).toMatchObject({ participant: 'agent' });
    await sweepAfter(30);
    const reconnected = await connect(agent.token);
    const expected = { call_id, participant: 'agent', version: 5 };
    // The agent also returns to active calls of other tests.
    const isOfCall = (event: Json) => event.call_id === call_id;
    for (const socket of [customer, reconnected])
      expect(await socket.waitFor('peer_reconnected', isOfCall)).toMatchObject(expected);
    expect(await reconnected.send('join_call', { call_id })).toMatchObject({ ok: true });
    await sweepAfter(100);
    expect(await callRow(test, call_id)).toMatchObject({
      status: 'active',
      agent_grace_deadline: null,
      version: 5,
    });
    for (const socket of [customer, reconnected])
      expect(socket.all('peer_reconnected').filter(isOfCall)).toHaveLength(1);
  });

  /** A call that an agent of its own has started; `sockets` of them were open at the start. */
  async function callOfNewAgent(sockets: number) {
    const member = await tenant.member('attendant', [department.id]);
    const { call_id, websocket_token } = await tenant.join(link);
    const tabs = [];
    for (let tab = 0; tab < sockets; tab++) tabs.push(await connect(member.token));
    const customer = await connect(websocket_token);
    await member.api.post(`/api/v1/calls/${call_id}/start`);
    await customer.waitFor('call_started');
    return { member, call_id, websocket_token, customer, tabs };
  }

  describe('as an agent who has not joined it', () => {
    it('is connected through any open socket, and the grace period starts after the last one', async () => {
      const { member, call_id, customer, tabs } = await callOfNewAgent(2);
      tabs[0]?.close();
      await until(async () => {
        const { rows } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [member.id]);
        return rows.length === 1;
      });
      expect((await callRow(test, call_id)).agent_grace_deadline).toBeNull();
      tabs[1]?.close();
      expect(await customer.waitFor('peer_disconnected')).toMatchObject({ call_id, participant: 'agent' });
      const back = await connect(member.token);
      for (const socket of [customer, back]) {
        expect(await socket.waitFor('peer_reconnected')).toMatchObject({ call_id, participant: 'agent' });
      }
    });

    it('is connected through a socket that is opened after the start', async () => {
      const { member, call_id, customer } = await callOfNewAgent(0);
      expect((await callRow(test, call_id)).agent_connected_at).toBeNull();
      const late = await connect(member.token);
      expect((await callRow(test, call_id)).agent_connected_at).not.toBeNull();
      expect(late.all('peer_reconnected')).toEqual([]);
      late.close();
      expect(await customer.waitFor('peer_disconnected')).toMatchObject({ call_id, participant: 'agent' });
    });

    it('hears of the customer on every socket', async () => {
      const { call_id, websocket_token, customer, tabs } = await callOfNewAgent(2);
      customer.close();
      for (const tab of tabs) {
        expect(await tab.waitFor('peer_disconnected')).toMatchObject({ call_id, participant: 'customer' });
      }
      await connect(websocket_token);
      for (const tab of tabs) {
        expect(await tab.waitFor('peer_reconnected')).toMatchObject({ call_id, participant: 'customer' });
      }
    });

    it('is noticed whether the socket closes before or after a simultaneous start', async () => {
      for (let round = 0; round < 10; round++) {
        const member = await tenant.member('attendant', [department.id]);
        const { call_id } = await tenant.join(link);
        const socket = await connect(member.token);
        socket.close();
        await member.api.post(`/api/v1/calls/${call_id}/start`);
        await until(async () => {
          const { rows } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [member.id]);
          return rows.length === 0;
        });
        const row = await callRow(test, call_id);
        expect(row.agent_grace_deadline === null).toBe(row.agent_connected_at === null);
        await member.api.post(`/api/v1/calls/${call_id}/complete`);
      }
    });
  });

  it('keeps their own deadline when both sides disconnect and the other one comes back', async () => {
    const { call_id, websocket_token, customer, staff } = await startedCall();
    customer.close();
    await waitForColumn(call_id, 'customer_grace_deadline');
    test.clock.advance(20);
    staff.close();
    const { agent_grace_deadline } = await waitForColumn(call_id, 'agent_grace_deadline');
    test.clock.advance(20);
    const reconnected = await connect(websocket_token);
    expect(reconnected.received[0]?.payload.grace_deadline).toBe(agent_grace_deadline.toISOString());
    await sweepAfter(25);
    expect((await callRow(test, call_id)).status).toBe('active');
    await sweepAfter(20);
    const ended = await reconnected.waitFor('call_ended');
    expect(ended).toMatchObject({ status: 'completed', end_reason: 'disconnect' });
  });

  it('is still connected through a second tab', async () => {
    const { call_id, websocket_token, customer, staff } = await startedCall();
    const [customerTab, staffTab] = [await connect(websocket_token), await connect(agent.token)];
    await staffTab.send('join_call', { call_id });
    const { version } = await callRow(test, call_id);
    customer.close();
    staff.close();
    await until(async () => {
      const { rows } = await test.db.query('SELECT FROM connections WHERE call_id = $1', [call_id]);
      return rows.length === 2;
    });
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({ status: 'active', version, disconnected_at: null, next_deadline: null });
    expect([...customerTab.all('peer_disconnected'), ...staffTab.all('peer_disconnected')]).toEqual([]);
    customerTab.close();
    expect(await staffTab.waitFor('peer_disconnected')).toMatchObject({ participant: 'customer' });
  });

  it('gets the grace period from the start of the call when they disconnect before it', async () => {
    const { call_id, customer, staff } = await assignedCall();
    customer.close();
    await until(async () => {
      const { rows } = await test.db.query('SELECT FROM connections WHERE call_id = $1 AND user_id IS NULL', [
        call_id,
      ]);
      return rows.length === 0;
    });
    expect(await callRow(test, call_id)).toMatchObject({ status: 'assigned', disconnected_at: null });
    await transition(call_id, 'start');
    expect(await staff.waitFor('peer_disconnected')).toMatchObject({ participant: 'customer', version: 4 });
    await sweepAfter(61);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'completed', end_reason: 'disconnect' });
  });

  it('gets no grace period without ever having had a socket in the call', async () => {
    const { call_id } = await tenant.join(link);
    await transition(call_id, 'start');
    const staff = await connect(agent.token);
    await staff.send('join_call', { call_id });
    staff.close();
    await waitForColumn(call_id, 'agent_grace_deadline');
    const reconnected = await connect(agent.token);
    await reconnected.send('join_call', { call_id });
    await sweepAfter(200);
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({ status: 'active', customer_grace_deadline: null, next_deadline: null });
  });
});
