import { WrapUpSweeper } from '../../../src/routing/agents/wrap-up-sweeper';
import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { agentOf, agentRow, expectAnnounced, stateEventsOf } from '../../support/contexts/agents';
import { auditedAbout } from '../../support/contexts/audit-rows';
import { partsOf, secondsAfter } from '../../support/contexts/line';
import { transfer } from '../../support/contexts/transfers';
import { expectFailure } from '../../support/database/failures';
import { callRow } from '../../support/database/rows';
import type { Answer, Json } from '../../support/http/api';
import { sharedTestApp } from '../../support/shared-app';
import { closingSockets } from '../../support/sockets/connect-sockets';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const WRAP_UP = '/api/v1/users/me/wrap-up';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  ({ link } = await tenant.queue({ wrap_up_time: 60, max_queue_size: 100 }));
});

beforeEach(async () => {
  agent = await tenant.member();
  await connect(agent.token);
});

afterEach(async () => {
  await expectAnnounced(test, tenant.id);
  test.clock.reset();
});

afterAll(() => test.close());

const act = async (callId: string, action: string) =>
  expectStatus(await agent.api.post(`/api/v1/calls/${callId}/${action}`), 200);

const extend = (seconds: number) => agent.api.post(`${WRAP_UP}/extend`, { seconds });

const isoAfter = (time: Date, seconds: number) => secondsAfter(time, seconds).toISOString();

const data = (answer: Answer): Json => {
  expectStatus(answer, 200);
  return answer.body.data;
};

async function start(from = link): Promise<string> {
  const { call_id } = await tenant.join(from);
  await act(call_id, 'start');
  return call_id;
}

/** Starts and completes a call. @returns its id, and when it was completed */
async function completeCall(from = link): Promise<{ id: string; completed_at: Date }> {
  const id = await start(from);
  await act(id, 'complete');
  return { id, completed_at: (await callRow(test, id)).completed_at };
}

/** Lets the time of all wrap-ups pass. */
async function pass(seconds: number): Promise<void> {
  test.clock.advance(seconds);
  await until(async () => {
    await test.get(WrapUpSweeper).sweep();
    const { rowCount } = await test.db.query('SELECT FROM presences WHERE wrap_up_until <= $1', [
      test.clock.now(),
    ]);
    return rowCount === 0;
  });
}

const wrapUpTimeOf = async (callId: string) => (await partsOf(test, callId))[0]?.wrap_up_time;

describe('wrap-up', () => {
  it('begins with the end of an active call, and ends when its time has passed', async () => {
    const { id, completed_at } = await completeCall();
    expect(await agentOf(tenant, agent.id)).toEqual({
      user_id: agent.id,
      name: agent.name,
      state: 'wrap_up',
      reason: null,
      since: completed_at.toISOString(),
      idle_since: expect.any(String),
      wrap_up_until: isoAfter(completed_at, 60),
      call_id: null,
    });
    expect(await wrapUpTimeOf(id)).toBeNull();
    await pass(61);
    const end = isoAfter(completed_at, 60);
    expect(await agentOf(tenant, agent.id)).toMatchObject({
      state: 'available',
      since: end,
      idle_since: end,
      wrap_up_until: null,
    });
    expect(await wrapUpTimeOf(id)).toBe(60);
    const states = (await stateEventsOf(test, agent.id)).map(({ state, presence }) => [state, presence]);
    expect(states.slice(-3)).toEqual([
      ['on_call', 'busy'],
      ['wrap_up', 'busy'],
      ['available', 'online'],
    ]);
    const { rows } = await test.db.query(
      'SELECT state, ended_at FROM presence_periods WHERE user_id = $1 ORDER BY id DESC LIMIT 2',
      [agent.id],
    );
    expect(rows[1]).toEqual({ state: 'wrap_up', ended_at: secondsAfter(completed_at, 60) });
  });

  it('does not begin in a department without it, or after a call that was not active', async () => {
    await completeCall((await tenant.queue()).link);
    expect(await agentOf(tenant, agent.id)).toMatchObject({ state: 'available', wrap_up_until: null });
    const { call_id, websocket_token } = await tenant.join(link);
    await act(call_id, 'assign');
    await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
    expect(await agentOf(tenant, agent.id)).toMatchObject({ wrap_up_until: null });
  });

  it('begins with the transfer of the call to another department', async () => {
    const id = await start();
    await transfer(agent, id, { department_id: (await tenant.queue()).department.id });
    const { transferred_at } = await callRow(test, id);
    expect(await agentOf(tenant, agent.id)).toMatchObject({
      state: 'wrap_up',
      since: transferred_at.toISOString(),
      wrap_up_until: isoAfter(transferred_at, 60),
      call_id: null,
    });
    await pass(61);
    expect(await agentOf(tenant, agent.id)).toMatchObject({ state: 'available', wrap_up_until: null });
    expect(await wrapUpTimeOf(id)).toBe(60);
  });

  it('begins with the acceptance by the agent to whom the call is transferred, not with the offer', async () => {
    const colleague = await tenant.member();
    await connect(colleague.token);
    const id = await start();
    const { offer } = await transfer(agent, id, { user_id: colleague.id });
    expect(await agentOf(tenant, agent.id)).toMatchObject({ state: 'on_call', wrap_up_until: null });
    expectStatus(await colleague.api.post(`/api/v1/offers/${offer.id}/accept`), 200);
    const { transferred_at } = await callRow(test, id);
    expect(await agentOf(tenant, agent.id)).toMatchObject({
      state: 'wrap_up',
      wrap_up_until: isoAfter(transferred_at, 60),
    });
    expect(await agentOf(tenant, colleague.id)).toMatchObject({ state: 'on_call', wrap_up_until: null });
    await pass(61);
    const wrapUpTimes = (await partsOf(test, id)).map(({ user_id, wrap_up_time }) => [user_id, wrap_up_time]);
    expect(wrapUpTimes).toEqual([
      [agent.id, 60],
      [colleague.id, null],
    ]);
  });

  it('is followed by a pause that was chosen meanwhile', async () => {
    await completeCall();
    const paused = await agent.api.put(`/api/v1/users/${agent.id}/state`, { state: 'paused' });
    expect(data(paused).state).toBe('wrap_up');
    expect(data(await agent.api.post(`${WRAP_UP}/finish`))).toMatchObject({
      state: 'paused',
      wrap_up_until: null,
    });
  });

  it('hides behind the loss of all sockets, and goes on afterwards', async () => {
    const other = await tenant.member();
    const socket = await connect(other.token);
    const { call_id } = await tenant.join(link);
    expectStatus(await other.api.post(`/api/v1/calls/${call_id}/start`), 200);
    socket.close();
    await until(async () => {
      const { rowCount } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [other.id]);
      return rowCount === 0;
    });
    expectStatus(await other.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    expect(await agentOf(tenant, other.id)).toMatchObject({
      state: 'offline',
      wrap_up_until: expect.any(String),
    });
    await connect(other.token);
    expect((await agentOf(tenant, other.id)).state).toBe('wrap_up');
  });

  it('ends with the next call that the agent takes', async () => {
    const { id, completed_at } = await completeCall();
    test.clock.advance(20);
    const next = await tenant.join(link);
    await act(next.call_id, 'assign');
    expect(await agentOf(tenant, agent.id)).toMatchObject({
      state: 'on_call',
      wrap_up_until: null,
      call_id: next.call_id,
    });
    const { assigned_at } = await callRow(test, next.call_id);
    const seconds = Math.round((assigned_at - completed_at.getTime()) / 1000);
    expect(seconds).toBeGreaterThanOrEqual(20);
    expect(await wrapUpTimeOf(id)).toBe(seconds);
  });

  it('lasts until the later of two ends, and counts for the last part', async () => {
    const short = (await tenant.queue({ wrap_up_time: 10 })).link;
    const [first, second] = [await start(), await start(short)];
    await act(first, 'complete');
    expect(await agentOf(tenant, agent.id)).toMatchObject({ state: 'on_call', call_id: second });
    await act(second, 'complete');
    const { completed_at } = await callRow(test, first);
    const agentNow = await agentOf(tenant, agent.id);
    expect(agentNow).toMatchObject({ state: 'wrap_up', wrap_up_until: isoAfter(completed_at, 60) });
    const [part] = await partsOf(test, second);
    expect((await agentRow(test, agent.id)).wrap_up_part_id).toBe(part?.id);
    await pass(61);
    expect(await wrapUpTimeOf(first)).toBeNull();
    expect(await wrapUpTimeOf(second)).toBeGreaterThan(50);
  });
});

describe('finishing the wrap-up', () => {
  it('makes the agent available, and has no effect without one', async () => {
    const { id } = await completeCall();
    test.clock.advance(30);
    const finished = data(await agent.api.post(`${WRAP_UP}/finish`));
    expect(finished).toMatchObject({ state: 'available', wrap_up_until: null });
    expect(finished.idle_since).toBe(finished.since);
    expect(await wrapUpTimeOf(id)).toBeGreaterThanOrEqual(30);
    expect(data(await agent.api.post(`${WRAP_UP}/finish`))).toEqual(finished);
    const audited = (await auditedAbout(test, agent.id)).filter(
      ({ action }) => action === 'user.wrap_up_changed',
    );
    expect(audited).toEqual([
      expect.objectContaining({ user_id: agent.id, details: { change: 'finished' } }),
    ]);
  });
});

describe('extending the wrap-up', () => {
  it('moves its end by the seconds, up to 3,600 in all', async () => {
    const { completed_at } = await completeCall();
    expect(data(await extend(40)).wrap_up_until).toBe(isoAfter(completed_at, 100));
    expectFailure(await extend(3501), 422, { code: 'validation_failed', field: 'seconds' });
    expect(data(await extend(3500)).wrap_up_until).toBe(isoAfter(completed_at, 3600));
    expectFailure(await extend(1), 422, { code: 'validation_failed', field: 'seconds' });
    for (const seconds of [0, -1, 3601, 1.5]) expectFailure(await extend(seconds), 422, { field: 'seconds' });
  });

  it('needs one', async () => {
    expectFailure(await extend(10), 422, { code: 'not_in_wrap_up' });
    await completeCall();
    test.clock.advance(61);
    expectFailure(await extend(10), 422, { code: 'not_in_wrap_up' });
    await pass(0);
  });
});

describe('the calls that an agent started today', () => {
  it('are counted by the day of the company', async () => {
    // 14 hours ahead of UTC.
    const timezone = 'Pacific/Kiritimati';
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { timezone }), 200);
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(test.clock.now());
    const count = async () => {
      const { rows } = await test.db.query(
        'SELECT calls_day::text AS day, calls_count AS count FROM presences WHERE user_id = $1',
        [agent.id],
      );
      return rows[0];
    };
    expect(await count()).toEqual({ day: null, count: 0 });
    await completeCall();
    await start();
    expect(await count()).toEqual({ day: today, count: 2 });
    await test.db.query('UPDATE presences SET calls_day = calls_day - 1 WHERE user_id = $1', [agent.id]);
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    expect((await count()).count).toBe(2);
    await act(call_id, 'start');
    expect(await count()).toEqual({ day: today, count: 1 });
  });
});
