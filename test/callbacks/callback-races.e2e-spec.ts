import { CallbackSweeper } from '../../src/calls/callbacks/callback-sweeper';
import { ResumeLinks } from '../../src/calls/callbacks/resume-links';
import { ClosingSweeper } from '../../src/calls/queue/closing-sweeper';
import { CallbackInviter } from '../../src/routing/callbacks/callback-inviter';
import { type Member, TestTenant } from '../support/builders';
import {
  callbackRequested,
  callbackRow,
  callingQueue,
  cancelCallback,
  requestCallback,
  resume,
  tokenOf,
  untilCallback,
} from '../support/contexts/callbacks';
import { entriesOf } from '../support/contexts/line';
import { availableAgent, type ConnectedAgent, offersOf, untilState } from '../support/contexts/offers';
import { openFor } from '../support/contexts/opening-hours';
import { callRow, eventsOf, oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { raceRounds } from '../support/race-rounds';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const ROUNDS = oneTo(raceRounds(50, 1, 10));
/** Rounds that need a department of their own. */
const FEW_ROUNDS = oneTo(raceRounds(20, 1, 5));

/** Two instances of the service on one database. */
let test: TestApp;
let other: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
let entry: Json;

beforeAll(async () => {
  test = await startTestApp();
  other = await startTestApp({ databaseUrl: test.databaseUrl });
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
});

beforeEach(async () => {
  ({ link } = await callingQueue(tenant));
  entry = await join();
});

afterEach(() => setClocks((clock) => clock.reset()));

afterAll(async () => {
  await other.close();
  await test.close();
});

const join = (): Promise<Json> => tenant.join(link as { token: string });
const rowOf = (callId = entry.call_id): Promise<Json> => callRow(test, callId);
const setClocks = (change: (clock: TestApp['clock']) => void) =>
  [test, other].forEach(({ clock }) => change(clock));
const invite = (app: TestApp) => app.get(CallbackInviter).sweep();
const expire = (app: TestApp) => app.get(CallbackSweeper).sweep();
const resumeToken = () => tokenOf(test.get(ResumeLinks).urlOf(entry.call_id, link.token));

async function countOf(type: string): Promise<number> {
  return (await eventsOf(test, entry.call_id)).filter((recorded) => recorded === `call.callback_${type}`)
    .length;
}

/** What holds whatever won: the call, its callback and its place in the line agree, and each change has its version. */
async function expectConsistent(callId = entry.call_id): Promise<Json> {
  const call = await rowOf(callId);
  const callback = await callbackRow(test, callId);
  const [line] = await entriesOf(test, callId);
  const isAwaited = call.status === 'queued' && ['requested', 'invited'].includes(call.callback_status);
  expect(line?.awaits_callback ?? false).toBe(isAwaited);
  if (isAwaited) {
    expect(line).toMatchObject({ present: false });
    expect(call).toMatchObject({ wait_deadline: null, absence_deadline: null, user_id: null });
  } else if (call.status === 'queued') {
    expect(call.wait_deadline).not.toBeNull();
  }
  const state = call.status === 'queued' ? call.callback_status : 'ended';
  expect((callback?.next_attempt_at ?? null) !== null).toBe(state === 'requested');
  expect((callback?.next_deadline ?? null) !== null).toBe(state === 'invited');
  expect(callback?.next_deadline ?? null).toEqual(call.callback_invited_until);
  return call;
}

describe('races of callbacks', () => {
  it.each(ROUNDS)('the customer comes back exactly when the window ends (%s)', async () => {
    await callbackRequested(test, entry);
    const { callback_invited_until: until, version } = await untilCallback(test, entry.call_id, 'invited');
    setClocks((clock) => clock.stop());
    const rest = (Number(until) - test.clock.now().getTime()) / 1000;
    setClocks((clock) => clock.advance(rest));
    const [answer] = await Promise.all([resume(test, entry.websocket_token), expire(test), expire(other)]);
    expect(answer.status).toBe(200);
    const { callback_status, ...call } = await expectConsistent();
    // Either the return or the end of the invitation, never both.
    expect(['returned', 'requested']).toContain(callback_status);
    expect(call).toMatchObject({ status: 'queued', version: version + 1 });
    expect(await countOf('returned')).toBe(callback_status === 'returned' ? 1 : 0);
    expect(answer.body.data.callback.status).toBe(callback_status);
  });

  it.each(ROUNDS)('the last window ends while the customer connects (%s)', async () => {
    ({ link } = await callingQueue(tenant, { callback_attempts: 1 }));
    entry = await join();
    await callbackRequested(test, entry);
    await untilCallback(test, entry.call_id, 'invited');
    setClocks((clock) => clock.advance(600));
    const opening = TestSocket.connect(test.url, entry.websocket_token);
    await Promise.all([opening, expire(test), expire(other)]);
    const socket = await opening;
    await until(async () => (await rowOf()).callback_status !== 'invited');
    const { status, callback_status } = await expectConsistent();
    socket.close();
    expect([status, callback_status].join(' ')).toMatch(/^(queued returned|abandoned expired)$/);
  });

  it.each(ROUNDS)('the customer takes the callback back while they are invited (%s)', async () => {
    const [, answer] = await Promise.all([
      callbackRequested(test, entry).then(() => Promise.all([invite(test), invite(other)])),
      until(async () => (await rowOf()).callback_status !== null).then(() => cancelCallback(other, entry)),
    ]);
    expect(answer.status).toBe(204);
    await invite(test);
    expect(await expectConsistent()).toMatchObject({ status: 'queued', callback_status: 'cancelled' });
    expect(await countOf('cancelled')).toBe(1);
    expect(await countOf('invited')).toBeLessThanOrEqual(1);
  });

  it.each(ROUNDS)('two instances invite at once (%s)', async () => {
    await callbackRequested(test, entry);
    await Promise.all([invite(test), invite(other), invite(test), invite(other)]);
    await untilCallback(test, entry.call_id, 'invited');
    expect((await callbackRow(test, entry.call_id)).attempts).toBe(1);
    expect(await countOf('invited')).toBe(1);
    const { rows } = await test.db.query(
      `SELECT FROM pgboss.job WHERE name = 'mail-callback' AND data ->> 'call_id' = $1`,
      [entry.call_id],
    );
    expect(rows).toHaveLength(1);
    await expectConsistent();
  });

  it.each(ROUNDS)('two devices open the link at once: one of them has the call (%s)', async () => {
    await callbackRequested(test, entry);
    await untilCallback(test, entry.call_id, 'invited');
    const opened = await Promise.all([test, other].map((app) => resume(app, resumeToken())));
    const tokens = opened.map(({ body }) => body.data.websocket_token);
    const sockets = await Promise.allSettled(tokens.map((token) => TestSocket.connect(test.url, token)));
    const connected = sockets.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(connected).toHaveLength(1);
    const answers = await Promise.all(tokens.map((token) => resume(test, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    for (const socket of connected) socket.close();
    expect(await countOf('returned')).toBe(1);
    expect(await expectConsistent()).toMatchObject({ customer_device: 2 });
  });

  it.each(ROUNDS)('a device connects while another one opens the link (%s)', async () => {
    await callbackRequested(test, entry);
    await untilCallback(test, entry.call_id, 'invited');
    const first = (await resume(test, resumeToken())).body.data;
    const socket = TestSocket.open(test.url, first.websocket_token);
    const refused = new Promise((resolve) => socket.io.once('connect_error', () => resolve('refused')));
    const closed = new Promise((resolve) => socket.io.once('disconnect', () => resolve('closed')));
    const second = await resume(test, resumeToken());
    // Whenever the first device connects, it does not keep the call.
    expect(['refused', 'closed']).toContain(await Promise.race([refused, closed]));
    // Nor does a lease of it stay.
    await until(
      async () => {
        const { rows } = await test.db.query('SELECT FROM connections WHERE call_id = $1', [entry.call_id]);
        return rows.length === 0;
      },
      () => 'the first device is still recorded as connected',
    );
    expect((await resume(test, second.body.data.websocket_token)).status).toBe(200);
    socket.close();
  });

  it.each(ROUNDS)('an agent takes the call while the customer leaves (%s)', async () => {
    const [taken, requested] = await Promise.all([
      agent.api.post(`/api/v1/calls/${entry.call_id}/assign`),
      requestCallback(other, entry),
    ]);
    expect([taken.status, requested.status].toSorted()).toEqual([200, 422]);
    const call = await expectConsistent();
    expect(call.status).toBe(taken.status === 200 ? 'assigned' : 'queued');
  });

  it.each(FEW_ROUNDS)('the call is offered while the customer leaves (%s)', async () => {
    const queue = await callingQueue(tenant, { routing: 'automatic' });
    ({ link } = queue);
    const waiting = await join();
    entry = waiting;
    const sockets: TestSocket[] = [];
    const connect = async (token: string) => {
      const socket = await TestSocket.connect(test.url, token);
      sockets.push(socket);
      return socket;
    };
    const [ana] = (await Promise.all([
      availableAgent(tenant, connect, [queue.department.id]),
      requestCallback(other, entry),
    ])) as [ConnectedAgent, unknown];
    expect(['requested', 'invited']).toContain((await expectConsistent()).callback_status);
    // Nothing is pending, whichever came first, and the agent is free for others.
    const offers = await offersOf(test, entry.call_id);
    expect(offers.filter(({ status }) => status === 'pending')).toEqual([]);
    await untilState(test, ana.id, 'available');
    for (const socket of sockets) socket.close();
  });

  it.each(FEW_ROUNDS)('the department closes while the customer returns (%s)', async () => {
    const hours = { opening_hours: openFor(test, -60, 30), on_close: 'end' };
    const { department, link: closing } = await callingQueue(tenant, hours);
    link = closing;
    entry = await join();
    const present = await join();
    await callbackRequested(test, entry);
    await untilCallback(test, entry.call_id, 'invited');
    // Planned by the sweep.
    const at: Date = await until(async () => {
      const { rows } = await test.db.query('SELECT closing_at FROM departments WHERE id = $1', [
        department.id,
      ]);
      return rows[0].closing_at;
    });
    setClocks((clock) => clock.stop());
    await test.db.query('UPDATE callbacks SET next_deadline = $2 WHERE call_id = $1', [
      entry.call_id,
      new Date(Number(at) + 600_000),
    ]);
    await test.db.query('UPDATE calls SET callback_invited_until = $2 WHERE id = $1', [
      entry.call_id,
      new Date(Number(at) + 600_000),
    ]);
    setClocks((clock) => clock.advance((Number(at) - clock.now().getTime()) / 1000 + 1));
    const [answer] = await Promise.all([
      resume(other, entry.websocket_token),
      test.get(ClosingSweeper).sweep(),
      other.get(ClosingSweeper).sweep(),
    ]);
    expect(answer.status).toBe(200);
    await until(async () => (await rowOf(present.call_id)).status === 'abandoned');
    const { status, callback_status } = await expectConsistent();
    // A customer who was back before the closing leaves with the others; one who comes back after it is served.
    expect(['queued', 'abandoned']).toContain(status);
    expect(callback_status).toBe('returned');
  });

  it.each(FEW_ROUNDS)(
    'the call is cancelled while it is invited, returned to and taken back (%s)',
    async () => {
      await callbackRequested(test, entry);
      const path = `/api/v1/call/cancel/${entry.call_id}`;
      const answers = await Promise.all([
        test.api.as(entry.websocket_token).post(path),
        cancelCallback(other, entry),
        resume(other, entry.websocket_token),
        invite(test),
        expire(other),
      ]);
      const statuses = answers.slice(0, 3).map((answer) => (answer as { status: number }).status);
      expect(statuses[0]).toBe(200);
      expect([204, 422]).toContain(statuses[1]);
      expect(statuses[2]).toBe(200);
      expect(await expectConsistent()).toMatchObject({ status: 'cancelled' });
      expect(['cancelled', 'returned']).toContain((await rowOf()).callback_status);
    },
  );
});
