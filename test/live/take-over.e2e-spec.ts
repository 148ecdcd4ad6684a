import { ResumeLinks } from '../../src/calls/callbacks/resume-links';
import { resume, tokenOf } from '../support/contexts/callbacks';
import { flush, SDP_OFFER, sessionsOf, SignalledCalls } from '../support/contexts/signalled-calls';
import { callRow, oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import { DELIVERED, UNDELIVERED } from '../support/sockets/signals';
import type { TestSocket } from '../support/sockets/socket';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const CANDIDATE = { candidate: { candidate: 'candidate:1', sdpMid: '0' } };
const TAKEN_OVER = { ok: false, error: { code: 'taken_over', detail: expect.any(String) } };

let test: TestApp;
let calls: SignalledCalls;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  calls = await SignalledCalls.create(test, connect);
});

afterAll(() => test.close());

/** An assigned call whose two pages have sent and received signals. */
async function twoPages() {
  const call = await calls.assigned();
  const second = await calls.page(call.websocket_token, 'page-2');
  for (const page of [call.customer, second]) {
    for (const _ of oneTo(2)) expect(await page.send('signal', CANDIDATE)).toEqual(DELIVERED);
  }
  expect(await call.staff.send('signal', SDP_OFFER)).toEqual(DELIVERED);
  for (const page of [call.customer, second]) await page.waitFor('signal');
  return { ...call, first: call.customer, second };
}

/** Whether peer_ready is of the customer's page, at this version of the call. */
const isCustomersAt = (version: number) => (event: Json) =>
  event.version === version && event.participant === 'customer';

/** Closes the page, and waits until that is recorded. */
async function close(page: TestSocket): Promise<void> {
  const { id } = page.io;
  page.close();
  await until(async () => {
    const { rows } = await test.db.query('SELECT FROM connections WHERE socket_id = $1', [id]);
    return rows.length === 0;
  });
}

const signalsTo = (page: TestSocket): number => page.all('signal').length;

describe('take_over', () => {
  it('gives the call to one page of the customer, and to another one later', async () => {
    const { call_id, first, second, staff } = await twoPages();
    const taken = await second.send('take_over', {});
    expect(taken).toEqual({ ok: true, data: { call_id, session: 'page-2', version: 3 } });
    expect(await first.waitFor('taken_over')).toEqual({
      call_id,
      at: expect.any(String),
      version: 3,
      session: 'page-2',
    });
    // The agent makes a new connection, with the page that has the call.
    expect(await staff.waitFor('peer_ready', isCustomersAt(3))).toMatchObject({ session: 'page-2' });
    await second.waitFor(
      'peer_ready',
      ({ version, participant }) => version === 3 && participant === 'agent',
    );

    const [signalsToFirst, signalsToSecond] = [signalsTo(first), signalsTo(second)];
    for (const _ of oneTo(3)) expect(await staff.send('signal', SDP_OFFER)).toEqual(DELIVERED);
    for (const event of ['signal', 'renegotiate']) {
      for (const _ of oneTo(2)) expect(await first.send(event, CANDIDATE)).toEqual(TAKEN_OVER);
      expect(await second.send(event, CANDIDATE)).toEqual(DELIVERED);
    }
    await flush(first, second, staff);
    expect([signalsTo(first), signalsTo(second)]).toEqual([signalsToFirst, signalsToSecond + 3]);
    expect(staff.all('renegotiate')).toHaveLength(1);
    expect(second.all('taken_over')).toEqual([]);

    // The other page stays connected to the call, and can have it back.
    expect(first.io.connected).toBe(true);
    await calls.transition(call_id, 'start');
    await first.waitFor('call_started');
    expect(await first.send('take_over', {})).toMatchObject({ ok: true, data: { session: 'page-1' } });
    await second.waitFor('taken_over', ({ session }) => session === 'page-1');
    expect(await first.send('signal', CANDIDATE)).toEqual(DELIVERED);
    expect(await second.send('signal', CANDIDATE)).toEqual(TAKEN_OVER);
  });

  it('holds after both pages have reconnected', async () => {
    const { websocket_token, first, second, staff } = await twoPages();
    await second.send('take_over', {});
    for (const page of [first, second]) page.close();
    const again = await calls.page(websocket_token, 'page-1');
    expect(await again.waitFor('taken_over')).toMatchObject({ session: 'page-2', version: 3 });
    expect(again.received.map(({ event }) => event).slice(0, 2)).toEqual(['snapshot', 'taken_over']);
    expect(await again.send('signal', CANDIDATE)).toEqual(TAKEN_OVER);
    // The page that has the call is away, and nobody else gets its signals.
    expect(await staff.send('signal', SDP_OFFER)).toEqual(UNDELIVERED);
    const holder = await calls.page(websocket_token, 'page-2');
    await holder.waitFor('peer_ready', ({ participant }) => participant === 'agent');
    expect(await staff.send('signal', SDP_OFFER)).toEqual(DELIVERED);
    await holder.waitFor('signal');
    await flush(again, holder);
    expect([signalsTo(again), signalsTo(holder)]).toEqual([0, 1]);
    expect([...again.all('peer_ready'), ...holder.all('taken_over')]).toEqual([]);
  });

  it('leaves the customer present while a page that does not have the call is open', async () => {
    const { call_id, first, second, staff } = await twoPages();
    await calls.transition(call_id, 'start');
    await second.send('take_over', {});
    await staff.waitFor('peer_ready', isCustomersAt(4));
    const before = staff.all('peer_ready').length;
    await close(second);
    await flush(staff);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', customer_grace_deadline: null });
    expect(staff.all('peer_disconnected').filter((event) => event.call_id === call_id)).toEqual([]);
    // The page that has the call is gone, and the other one has not taken it.
    expect(staff.all('peer_ready')).toHaveLength(before);
    expect(await staff.send('signal', SDP_OFFER)).toEqual(UNDELIVERED);
    expect(await first.send('take_over', {})).toMatchObject({ ok: true, data: { session: 'page-1' } });
    await until(async () => sessionsOf(staff, 'customer').at(-1) === 'page-1');
    expect(await staff.send('signal', SDP_OFFER)).toEqual(DELIVERED);
  });

  it('is not announced again when a page that does not have the call is closed', async () => {
    const { first, second, staff } = await twoPages();
    await first.send('take_over', {});
    await staff.waitFor('peer_ready', isCustomersAt(3));
    const before = staff.all('peer_ready').length;
    await close(second);
    await flush(staff);
    expect(staff.all('peer_ready')).toHaveLength(before);
  });

  it('is part of the state that customers and staff see', async () => {
    const { call_id, first, second, staff } = await twoPages();
    expect((await first.send('snapshot')).data).toMatchObject({ holder_session: null, version: 2 });
    await second.send('take_over', {});
    expect((await first.send('snapshot')).data).toMatchObject({ holder_session: 'page-2', version: 3 });
    // Without it, staff would miss a version.
    await staff.waitFor('call_updated', (event) => event.call_id === call_id && event.version === 3);
    // Taking it once more changes nothing.
    expect(await second.send('take_over', {})).toMatchObject({ ok: true, data: { version: 3 } });
    expect((await callRow(test, call_id)).version).toBe(3);
    expect(first.all('taken_over')).toHaveLength(1);
  });

  it('is possible while the call waits, and not after its end', async () => {
    const { call_id, websocket_token } = await calls.join();
    const [first, second] = [
      await calls.page(websocket_token, 'page-1'),
      await calls.page(websocket_token, 'page-2'),
    ];
    expect(await second.send('take_over', {})).toMatchObject({ ok: true });
    await first.waitFor('taken_over');
    await calls.transition(call_id, 'assign');
    const staff = await calls.page(calls.agent.token, 'console-1');
    expect(await staff.send('signal', { call_id, ...SDP_OFFER })).toEqual(DELIVERED);
    await second.waitFor('signal');
    expect(sessionsOf(staff, 'customer').at(-1)).toBe('page-2');
    await flush(first);
    expect([...first.all('signal'), ...first.all('peer_ready')]).toEqual([]);
    await calls.transition(call_id, 'complete');
    expect(await first.send('take_over', {})).toMatchObject({ ok: false, error: { code: 'invalid_state' } });
  });

  it('is for customers, and limited', async () => {
    const { first, staff } = await twoPages();
    expect(await staff.send('take_over', {})).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    const acks = await Promise.all(oneTo(20).map(() => first.send('take_over', {})));
    expect(acks.slice(0, 5).every(({ ok }) => ok)).toBe(true);
    expect(acks.some(({ error }) => error?.code === 'rate_limited')).toBe(true);
  });

  it('ends when the call is continued on another device', async () => {
    const { call_id, websocket_token } = await calls.join();
    const [first, second] = [
      await calls.page(websocket_token, 'page-1'),
      await calls.page(websocket_token, 'page-2'),
    ];
    await second.send('take_over', {});
    const url = test.get(ResumeLinks).urlOf(call_id, calls.link.token);
    const { body } = await resume(test, tokenOf(url));
    // A page that got the message of another page, and then this one, must not connect again.
    for (const page of [first, second]) {
      expect(await page.waitFor('taken_over', ({ session }) => session === undefined)).toEqual({
        call_id,
        at: expect.any(String),
      });
    }
    const other = await calls.page(body.data.websocket_token, 'page-3');
    expect((await other.send('snapshot')).data).toMatchObject({ holder_session: null });
    await calls.transition(call_id, 'assign');
    const staff = await calls.page(calls.agent.token, 'console-1');
    expect(await staff.send('signal', { call_id, ...SDP_OFFER })).toEqual(DELIVERED);
    await other.waitFor('signal');
    expect(await other.send('signal', CANDIDATE)).toEqual(DELIVERED);
  });
});

describe('two pages that take the call over at the same moment', () => {
  it.each(oneTo(raceRounds(30)))('agree on one of them (round %i)', async () => {
    const { call_id, first, second, staff } = await twoPages();
    const pages = [first, second];
    const acks: Json[] = await Promise.all(pages.map((page) => page.send('take_over', {})));
    expect(acks.map(({ data }) => data.version).toSorted()).toEqual([3, 4]);
    const winner = acks.findIndex(({ data }) => data.version === 4);
    const [holder, loser] = [pages[winner], pages[1 - winner]] as [TestSocket, TestSocket];
    const session = `page-${winner + 1}`;
    expect((await callRow(test, call_id)).holder_session).toBe(session);
    // The newest message of each page tells the same.
    expect((await loser.waitFor('taken_over')).session).toBe(session);
    await flush(...pages);
    expect(holder.all('taken_over').filter(({ version }) => version >= 4)).toEqual([]);

    expect(await staff.waitFor('peer_ready', isCustomersAt(4))).toMatchObject({ session });
    const counts = [signalsTo(holder), signalsTo(loser)] as const;
    expect(await staff.send('signal', SDP_OFFER)).toEqual(DELIVERED);
    expect(await holder.send('signal', CANDIDATE)).toEqual(DELIVERED);
    expect(await loser.send('signal', CANDIDATE)).toEqual(TAKEN_OVER);
    await flush(...pages);
    expect([signalsTo(holder), signalsTo(loser)]).toEqual([counts[0] + 1, counts[1]]);
  });
});
