import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('a participant who drops out of an active call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let link: Json;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    const { department, link: entrance } = await tenant.queue({ max_queue_size: 100 });
    link = entrance;
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  const move = (id: string, action: string) => agent.api.post(`/api/v1/calls/${id}/${action}`);

  /** An assigned call with both sides on the socket. */
  async function assigned() {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    await move(call_id, 'assign');
    const staff = await connect(agent.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, staff };
  }

  async function talking() {
    const call = await assigned();
    await move(call.call_id, 'start');
    await call.customer.waitFor('call_started');
    return call;
  }

  const sweepAfter = async (seconds: number) => {
    test.clock.advance(seconds);
    await sweep(test);
  };

  const rowWith = (id: string, column: string) =>
    until(async () => {
      const row = await callRow(test, id);
      return row[column] !== null && row;
    });

  it.each(['customer', 'agent'] as const)('%s: the call ends 60 s later, and both hear why', async (who) => {
    const { call_id, customer, staff } = await talking();
    const [goes, stays] = who === 'customer' ? [customer, staff] : [staff, customer];
    goes.close();
    const gone = await stays.waitFor('peer_disconnected');
    const row = await rowWith(call_id, `${who}_grace_deadline`);
    expect(gone).toEqual({
      call_id,
      at: row.disconnected_at.toISOString(),
      version: 4,
      participant: who,
      disconnected_at: row.disconnected_at.toISOString(),
      grace_seconds: 60,
      deadline: row.next_deadline.toISOString(),
    });
    expect(row.next_deadline.getTime() - row.disconnected_at.getTime()).toBe(60_000);

    await sweepAfter(59);
    expect((await callRow(test, call_id)).status).toBe('active');
    await sweepAfter(2);
    const ended = await callRow(test, call_id);
    expect(ended).toMatchObject({ status: 'completed', end_reason: 'disconnect', reconnected_at: null });
    expect(ended.completed_at).toEqual(ended.ended_at);
    expect(ended.duration).toBeGreaterThanOrEqual(60);
    const news = await stays.waitFor('call_ended');
    expect(news).toMatchObject({ call_id, status: 'completed', version: 5 });
    if (who === 'agent') expect(news.end_reason).toBe('disconnect');
  });

  it('customer: back in time, everything goes on, and each side hears of it once', async () => {
    const { call_id, websocket_token, customer, staff } = await talking();
    customer.close();
    await staff.waitFor('peer_disconnected');
    const back = await connect(websocket_token);
    expect(back.received[0]?.payload).toMatchObject({ status: 'active', version: 5, grace_deadline: null });
    const heard = [await staff.waitFor('peer_reconnected'), await back.waitFor('peer_reconnected')];
    const { reconnected_at } = await callRow(test, call_id);
    const news = {
      call_id,
      participant: 'customer',
      reconnected_at: reconnected_at.toISOString(),
      version: 5,
    };
    for (const one of heard) expect(one).toEqual({ ...news, at: news.reconnected_at });
    await sweepAfter(100);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', end_reason: null });
    expect(staff.all('peer_reconnected')).toHaveLength(1);
    expect(back.all('peer_reconnected')).toHaveLength(1);
  });

  it('agent: back in time with join_call, and hears of it, too', async () => {
    const { call_id, customer, staff } = await talking();
    staff.close();
    expect(await customer.waitFor('peer_disconnected')).toMatchObject({ participant: 'agent' });
    const back = await connect(agent.token);
    // Being connected is not being in the call.
    await sweepAfter(30);
    expect((await callRow(test, call_id)).agent_grace_deadline).not.toBeNull();
    await back.send('join_call', { call_id });
    const news = { call_id, participant: 'agent', version: 5 };
    expect(await customer.waitFor('peer_reconnected')).toMatchObject(news);
    expect(await back.waitFor('peer_reconnected')).toMatchObject(news);
    await sweepAfter(100);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', agent_grace_deadline: null });
  });

  it('both, and one comes back: the other one still has until their own deadline', async () => {
    const { call_id, websocket_token, customer, staff } = await talking();
    customer.close();
    await rowWith(call_id, 'customer_grace_deadline');
    test.clock.advance(20);
    staff.close();
    const { agent_grace_deadline } = await rowWith(call_id, 'agent_grace_deadline');
    test.clock.advance(20);
    const back = await connect(websocket_token);
    expect(back.received[0]?.payload.grace_deadline).toBe(agent_grace_deadline.toISOString());
    await sweepAfter(25);
    expect((await callRow(test, call_id)).status).toBe('active');
    await sweepAfter(20);
    const news = await back.waitFor('call_ended');
    expect(news).toMatchObject({ status: 'completed', end_reason: 'disconnect' });
  });

  it('a second tab counts as the same participant', async () => {
    const { call_id, websocket_token, customer, staff } = await talking();
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

  it('before the start: the grace begins with it', async () => {
    const { call_id, customer, staff } = await assigned();
    customer.close();
    await until(async () => {
      const { rows } = await test.db.query('SELECT FROM connections WHERE call_id = $1 AND user_id IS NULL', [
        call_id,
      ]);
      return rows.length === 0;
    });
    expect(await callRow(test, call_id)).toMatchObject({ status: 'assigned', disconnected_at: null });
    await move(call_id, 'start');
    expect(await staff.waitFor('peer_disconnected')).toMatchObject({ participant: 'customer', version: 4 });
    await sweepAfter(61);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'completed', end_reason: 'disconnect' });
  });

  it('who never had a socket in it cannot be missed', async () => {
    const { call_id } = await tenant.join(link);
    await move(call_id, 'start');
    const staff = await connect(agent.token);
    await staff.send('join_call', { call_id });
    staff.close();
    await rowWith(call_id, 'agent_grace_deadline');
    const back = await connect(agent.token);
    await back.send('join_call', { call_id });
    await sweepAfter(200);
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({ status: 'active', customer_grace_deadline: null, next_deadline: null });
  });
});
