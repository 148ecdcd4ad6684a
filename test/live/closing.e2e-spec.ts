import { agentOnCall, expectStatus, type Member, TestTenant } from '../support/builders';
import { bookConfirmed, inMinutes } from '../support/contexts/appointments';
import { callbackRequested, sweepCallbacks, untilCallback } from '../support/contexts/callbacks';
import { minuteFromNow, openFor } from '../support/contexts/opening-hours';
import { transfer } from '../support/contexts/transfers';
import { ClosingSweeper } from '../../src/calls/queue/closing-sweeper';
import { callRow } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

/** The queue waits longer than the department is open. */
const QUEUE = { on_close: 'end', max_wait_time: 86_400 };

describe('a department that ends its waiting calls at closing', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  const change = async ({ id }: Json, input: Json) =>
    expectStatus(await tenant.owner.api.put(`/api/v1/departments/${id}`, input), 200);
  const planOf = async ({ id }: Json): Promise<Json> =>
    (await test.db.query('SELECT closing_at, closing_deadline FROM departments WHERE id = $1', [id])).rows[0];
  /** Waits until the sweeper has planned a closing at this time. */
  const planned = async (department: Json, at: Date): Promise<void> => {
    await until(
      async () => (await planOf(department)).closing_at?.getTime() === at.getTime(),
      () => 'the closing was not planned',
    );
  };
  const joinWithSocket = async (link: Json) => {
    const { call_id, websocket_token } = await tenant.join(link as { token: string });
    return { call_id, socket: await connect(websocket_token) };
  };
  const endedEvents = async (callIds: string[]): Promise<number> => {
    const { rows } = await test.db.query(
      `SELECT FROM domain_events WHERE subject_id = ANY ($1) AND type = 'call.abandoned'`,
      [callIds],
    );
    return rows.length;
  };

  it('informs customers ten minutes before, and ends their calls when it closes', async () => {
    const input = { ...QUEUE, opening_hours: openFor(test, -60, 30), callback_enabled: true };
    const { department, link } = await tenant.queue(input);
    const closing = minuteFromNow(test, 30);
    await planned(department, closing);
    const one = await joinWithSocket(link);
    const other = await joinWithSocket(link);
    const taken = await joinWithSocket(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${taken.call_id}/start`), 200);
    expect(one.socket.all('queue_closing')).toEqual([]);

    test.clock.advance(21 * 60);
    for (const { call_id, socket } of [one, other]) {
      expect(await socket.waitFor('queue_closing')).toEqual({
        call_id,
        at: expect.stringMatching(/Z$/),
        closes_at: closing.toISOString(),
        callback_enabled: true,
      });
    }
    expect(await planOf(department)).toEqual({ closing_at: closing, closing_deadline: closing });

    test.clock.advance(10 * 60);
    for (const { call_id, socket } of [one, other]) {
      expect(await socket.waitFor('call_ended')).toMatchObject({
        status: 'abandoned',
        end_reason: 'abandoned',
      });
      expect(await callRow(test, call_id)).toMatchObject({ status: 'abandoned', end_reason: 'abandoned' });
    }
    expect(await callRow(test, taken.call_id)).toMatchObject({ status: 'active' });
    expect(taken.socket.all('queue_closing')).toEqual([]);
    expect(one.socket.all('queue_closing')).toHaveLength(1);
    // It never opens again: one looks at it again tomorrow.
    await until(
      async () => (await planOf(department)).closing_deadline > closing,
      () => 'the next closing was not planned',
    );
    expect(await planOf(department)).toMatchObject({ closing_at: null });
  });

  it('serves appointments nevertheless, also those whose time has not come', async () => {
    const { department, link } = await tenant.queue({ ...QUEUE, opening_hours: openFor(test, -60, 5) });
    const { department: open } = await tenant.queue();
    await planned(department, minuteFromNow(test, 5));
    const book = async ({ id }: Json, minutes: number) => {
      const times = { starts_at: inMinutes(test, minutes), ends_at: inMinutes(test, minutes + 5) };
      const user_id = (await tenant.member('attendant', [id])).id;
      const booked = await bookConfirmed(tenant, { user_id, department_id: id, ...times });
      return joinWithSocket({ token: booked.access_link.url.split('/').at(-1) });
    };
    const early = await book(open, 10);
    expectStatus(await agent.api.post(`/api/v1/calls/${early.call_id}/start`), 200);
    await transfer(agent, early.call_id, { department_id: department.id });
    const appointments = [await book(department, 2), await book(department, 10), early];
    const walkIn = await joinWithSocket(link);
    test.clock.advance(6 * 60);
    await walkIn.socket.waitFor('call_ended');
    for (const { call_id, socket } of appointments) {
      expect(await callRow(test, call_id)).toMatchObject({ status: 'queued' });
      expect(socket.all('queue_closing')).toEqual([]);
    }
  });

  it('keeps the calls of customers who are called back, and invites them when it opens again', async () => {
    const hours = { opening_hours: openFor(test, -60, 5) };
    const { department, link } = await tenant.queue({ ...QUEUE, ...hours, callback_enabled: true });
    await planned(department, minuteFromNow(test, 5));
    const first = await joinWithSocket(link);
    const away = await tenant.join(link as { token: string });
    await callbackRequested(test, away);
    const socket = await connect(away.websocket_token);
    await agentOnCall(tenant, [department.id]);
    test.clock.advance(6 * 60);
    await first.socket.waitFor('call_ended');
    // It is the first of the line now, but the department is closed.
    await sweepCallbacks(test);
    expect(await callRow(test, away.call_id)).toMatchObject({
      status: 'queued',
      callback_status: 'requested',
    });
    expect(socket.all('queue_closing')).toEqual([]);
    await change(department, { opening_hours: openFor(test, -1, 60) });
    await untilCallback(test, away.call_id, 'invited');
  });

  it('ends calls once, however many instances look at the same time', async () => {
    const { department, link } = await tenant.queue({ ...QUEUE, opening_hours: openFor(test, -60, 5) });
    await planned(department, minuteFromNow(test, 5));
    const waiting = [await joinWithSocket(link), await joinWithSocket(link), await joinWithSocket(link)];
    test.clock.advance(6 * 60);
    await Promise.all(Array.from({ length: 8 }, () => test.get(ClosingSweeper).sweep()));
    const ids = waiting.map(({ call_id }) => call_id);
    // The application's own sweep may be ending one.
    await until(async () => (await endedEvents(ids)) >= 3);
    expect(await endedEvents(ids)).toBe(3);
    for (const { call_id } of waiting) expect((await callRow(test, call_id)).version).toBe(2);
  });

  it('spares the calls of customers who joined after it opened again, if the closing is late', async () => {
    const { department, link } = await tenant.queue({ ...QUEUE, opening_hours: openFor(test, -60, 60) });
    await planned(department, minuteFromNow(test, 60));
    const earlier = await joinWithSocket(link);
    const closing = test.clock.now();
    await until(() => test.clock.now() > closing);
    const later = await joinWithSocket(link);
    await test.db.query('UPDATE departments SET closing_at = $2, closing_deadline = $2 WHERE id = $1', [
      department.id,
      closing,
    ]);
    await earlier.socket.waitFor('call_ended');
    await planned(department, minuteFromNow(test, 60));
    expect(await callRow(test, later.call_id)).toMatchObject({ status: 'queued' });
  });

  it('plans the closing again when its hours, the zone of the company or what happens then change', async () => {
    const other = await TestTenant.register(test);
    expectStatus(await other.owner.api.put('/api/v1/tenant', { timezone: 'UTC' }), 200);
    const opening_hours = { ...openFor(test, -60, 20), timezone: null };
    const { department, link } = await other.queue({ ...QUEUE, opening_hours });
    await planned(department, minuteFromNow(test, 20));
    const { call_id, websocket_token } = await other.join(link as { token: string });
    await connect(websocket_token);
    const put = async (input: Json) =>
      expectStatus(await other.owner.api.put(`/api/v1/departments/${department.id}`, input), 200);

    await put({ opening_hours: { ...openFor(test, -60, 40), timezone: null } });
    await planned(department, minuteFromNow(test, 40));
    // An hour west of UTC: the wall times are an hour later.
    const timezone = 'Etc/GMT+1';
    expectStatus(await other.owner.api.put('/api/v1/tenant', { timezone }), 200);
    await planned(department, minuteFromNow(test, 100));
    await put({ name: 'Renamed' });
    expect(await planOf(department)).toMatchObject({ closing_at: expect.any(Date) });
    await put({ on_close: 'keep' });
    expect(await planOf(department)).toEqual({ closing_at: null, closing_deadline: null });
    test.clock.advance(2 * 3600);
    await test.get(ClosingSweeper).sweep();
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued' });
    await put({ on_close: 'end', opening_hours: null });
    expect(await planOf(department)).toEqual({ closing_at: null, closing_deadline: null });
  });

  it('keeps waiting calls by default', async () => {
    const opening_hours = openFor(test, -60, 5);
    const { department, link } = await tenant.queue({ max_wait_time: 86_400, opening_hours });
    const { call_id, socket } = await joinWithSocket(link);
    expect(await planOf(department)).toEqual({ closing_at: null, closing_deadline: null });
    test.clock.advance(6 * 60);
    await test.get(ClosingSweeper).sweep();
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued' });
    expect(socket.all('queue_closing')).toEqual([]);
    await change(department, { opening_hours: null });
  });
});
