import { DateTime } from 'luxon';
import { Database } from '../../src/platform/database/database';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { changeCall, secondsAfter } from '../support/contexts/line';
import { refreshViews } from '../support/contexts/refresh-views';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { sweep } from '../support/contexts/sweep';
import { callRow } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let colleague: Member;
let department: Json;
let target: Json;
let link: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  test.clock.stop();
  // Views answer only for periods that have ended before they were refreshed.
  test.clock.advance(-3 * 24 * 60 * 60);
  // All calls of a test have to belong to one month, of which a report has one row.
  const endsMonth = ['UTC', 'America/Sao_Paulo'].some((zone) => {
    const now = DateTime.fromJSDate(test.clock.now(), { zone });
    return !now.hasSame(now.plus({ hours: 1 }), 'month');
  });
  if (endsMonth) test.clock.advance(3600);
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue({ max_wait_time: 3600 }));
  target = await tenant.department();
  const departments = [department.id, target.id];
  agent = await tenant.member('attendant', departments);
  colleague = await tenant.member('attendant', departments);
});

afterAll(() => test.close());

const act = async (id: string, action: string, member = agent) =>
  expectStatus(await member.api.post(`/api/v1/calls/${id}/${action}`), 200);

/** Adds a customer whose call the agent starts after some seconds. @returns the id of the call */
async function startedCall(waitSeconds: number, member = agent): Promise<string> {
  const { call_id } = await tenant.join(link);
  test.clock.advance(waitSeconds);
  await act(call_id, 'start', member);
  return call_id;
}

/** Returns an active call to the queue of another department, as a transfer does. */
const transfer = (id: string) =>
  changeCall(test, id, {
    status: 'queued',
    user_id: null,
    user_name: null,
    department_id: target.id,
    wait_deadline: secondsAfter(test.clock.now(), 3600),
    transferred_at: test.clock.now(),
    updated_at: test.clock.now(),
  });

/** Ends the wait of a queued call. */
async function abandon(id: string): Promise<void> {
  await changeCall(test, id, { wait_deadline: test.clock.now() });
  await sweep(test);
}

/** A call that the agent transfers after 100 s, and that the colleague has for 200 s after a wait of 50 s. */
async function transferredCall(): Promise<string> {
  const call = await startedCall(5);
  test.clock.advance(100);
  await transfer(call);
  test.clock.advance(50);
  await act(call, 'start', colleague);
  test.clock.advance(200);
  await act(call, 'complete', colleague);
  await test.db.query('UPDATE call_parts SET wrap_up_time = 30 WHERE call_id = $1 AND user_id = $2', [
    call,
    agent.id,
  ]);
  return call;
}

/** Inserts an ended offer to the agent, made now, that took some seconds. */
const offer = async (call: string, status: string, seconds: number) =>
  test.db.query(
    `INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, status, offered_at, expires_at, ended_at)
     VALUES ($1, $2, $3, $4, 'line', $5, $6, $7, $7)`,
    [
      tenant.id,
      call,
      department.id,
      agent.id,
      status,
      test.clock.now(),
      secondsAfter(test.clock.now(), seconds),
    ],
  );

async function get(path: string, query: string): Promise<Json> {
  const answer = await tenant.owner.api.get(`/api/v1/analytics/${path}?${query}`);
  expectStatus(answer, 200);
  return answer.body;
}

/** The report counted from the records, and the one read from the views. */
async function fromBoth(path: string, query = ''): Promise<Json[]> {
  await refreshViews(test);
  const counted = await get(path, `${query}&timezone=UTC`);
  const read = await get(path, query);
  expect([counted.meta.refreshed_at, read.meta.refreshed_at]).toEqual([null, expect.any(String)]);
  return [counted.data, read.data];
}

/** Checks the figures of all calls in the overview and in a report that the views can answer. */
async function expectFigures(expected: Record<string, unknown>): Promise<void> {
  expect((await get('overview', '')).data).toMatchObject(expected);
  for (const months of await fromBoth('trends', 'interval=month')) {
    expect(months.filter(({ total_calls }: Json) => total_calls > 0)).toEqual([
      expect.objectContaining(expected),
    ]);
  }
}

/** The row of a member in the report of agents, counted and from the views. */
const agentRows = async (member: Member, query = ''): Promise<Json[]> =>
  (await fromBoth('agents', query)).map((rows) => rows.find(({ user_id }: Json) => user_id === member.id));

describe('a call is answered', () => {
  it('once it was started, even if the customer gives up after a transfer', async () => {
    const call = await startedCall(10);
    test.clock.advance(100);
    await transfer(call);
    const waiting = { total_calls: 1, queued_calls: 1, answered_calls: 1, average_wait_time: 10 };
    await expectFigures({ ...waiting, abandoned_calls: 0, service_level: 1 });
    test.clock.advance(50);
    await abandon(call);
    await expectFigures({
      total_calls: 1,
      queued_calls: 0,
      abandoned_calls: 1,
      answered_calls: 1,
      average_wait_time: 10,
      // No agent was reachable, so the customer was told no wait.
      wait_estimate_error: null,
      // It does not count as abandoned after the service level, too.
      service_level: 1,
      abandonment_rate: 1,
      average_duration: null,
      average_handle_time: 100,
    });
  });

  it.each([
    [
      'counts as abandoned after the service level',
      21,
      'cancel',
      { left_calls: 1, abandonment_rate: 1, service_level: 0 },
    ],
    ['does not count within it', 20, 'cancel', { left_calls: 0, abandonment_rate: 0, service_level: null }],
    ['does not count if its department was deleted', 300, 'delete', { left_calls: 0, abandonment_rate: 0 }],
  ])('or cancelled, which %s', async (_, seconds, how, expected) => {
    const { call_id, websocket_token } = await tenant.join(link);
    test.clock.advance(seconds);
    if (how === 'cancel')
      expectStatus(
        await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token }),
        200,
      );
    else expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${department.id}`), 204);
    // A job cancels the calls of a deleted department.
    await until(async () => (await callRow(test, call_id)).status === 'cancelled');
    await expectFigures({ cancelled_calls: 1, abandoned_calls: 0, ...expected });
  });

  it('and dropped if its connection was lost and not restored in time', async () => {
    const call = await startedCall(10);
    await changeCall(test, call, { customer_grace_deadline: test.clock.now() });
    await sweep(test);
    await expectFigures({ completed_calls: 1, dropped_calls: 1 });
    for (const row of await agentRows(agent)) expect(row).toMatchObject({ answered: 1, dropped: 1 });
    const [item] = (await agent.api.get('/api/v1/calls')).body.data;
    expect(item).toMatchObject({ id: call, status: 'completed', end_reason: 'disconnect' });
  });

  it('only if it was started: not if it was completed before', async () => {
    const { call_id } = await tenant.join(link);
    test.clock.advance(30);
    await act(call_id, 'complete');
    await expectFigures({
      total_calls: 1,
      completed_calls: 1,
      answered_calls: 0,
      average_wait_time: null,
      longest_wait_time: 30,
      wait_estimate_error: null,
      service_level: null,
      average_duration: null,
      average_handle_time: null,
    });
    for (const row of await agentRows(agent)) expect(row).toMatchObject({ answered: 0, missed: 0 });
  });
});

describe('the wait of a call', () => {
  it('lasts until the assignment before its first start, and a transfer keeps it', async () => {
    const { call_id } = await tenant.join(link);
    test.clock.advance(10);
    await act(call_id, 'assign');
    expect(await callRow(test, call_id)).toMatchObject({ wait_time: 10 });
    await missRingTimeout(test, call_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', wait_time: null });
    test.clock.advance(50);
    await act(call_id, 'start', colleague);
    test.clock.advance(20);
    await transfer(call_id);
    test.clock.advance(70);
    await act(call_id, 'assign');
    await missRingTimeout(test, call_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', wait_time: 60 });
    await act(call_id, 'start');
    await act(call_id, 'complete');
    await expectFigures({ answered_calls: 1, average_wait_time: 60, longest_wait_time: 60 });
  });
});

describe('the handle time', () => {
  it('is the time of the parts with their wrap-up, without the wait after a transfer', async () => {
    await transferredCall();
    await expectFigures({ average_duration: 350, average_handle_time: 330 });
    for (const row of await agentRows(agent)) {
      expect(row).toMatchObject({
        answered: 0,
        average_duration: null,
        average_handle_time: 130,
        wrap_up_time: 30,
        transfers: 1,
      });
    }
    for (const row of await agentRows(colleague)) {
      expect(row).toMatchObject({
        answered: 1,
        average_duration: 350,
        average_handle_time: 200,
        wrap_up_time: 0,
        transfers: 0,
      });
    }
  });

  it('does not include calls in progress', async () => {
    await startedCall(5);
    test.clock.advance(100);
    await expectFigures({ active_calls: 1, answered_calls: 1, average_handle_time: null });
    for (const row of await agentRows(agent)) expect(row).toMatchObject({ average_handle_time: null });
  });

  it('is the duration of a call from before parts were recorded', async () => {
    const call = await startedCall(5);
    test.clock.advance(40);
    await act(call, 'complete');
    await test.db.query('DELETE FROM call_parts WHERE call_id = $1', [call]);
    await expectFigures({ average_duration: 40, average_handle_time: 40 });
    for (const row of await agentRows(agent)) {
      expect(row).toMatchObject({ average_handle_time: 40, wrap_up_time: 0, transfers: 0 });
    }
    await transferredCall();
    await expectFigures({ average_duration: 195, average_handle_time: 185 });
    for (const row of await agentRows(agent)) expect(row).toMatchObject({ average_handle_time: 85 });
  });

  it('is that of the parts in the department for the agents of a department', async () => {
    await transferredCall();
    const query = `department_id=${target.id}`;
    for (const row of await agentRows(agent, query)) {
      expect(row).toMatchObject({ average_handle_time: null, wrap_up_time: 0, transfers: 0 });
    }
    for (const row of await agentRows(colleague, query)) {
      expect(row).toMatchObject({ average_handle_time: 200 });
    }
  });

  it('lists a former agent whose calls were all transferred', async () => {
    await transferredCall();
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${agent.id}`, { active: false }), 200);
    for (const row of await agentRows(agent)) expect(row).toMatchObject({ answered: 0, transfers: 1 });
  });
});

describe('the offers of an agent', () => {
  it('are counted by their end, and their rate ignores those that the agent did not decide', async () => {
    const { call_id } = await tenant.join(link);
    for (const [status, seconds] of [
      ['accepted', 4],
      ['accepted', 7],
      ['declined', 60],
      ['expired', 90],
      ['expired', 90],
      ['withdrawn', 90],
    ] as const) {
      await offer(call_id, status, seconds);
    }
    const expected = {
      offers: 6,
      accepted_offers: 2,
      declined_offers: 1,
      missed_offers: 2,
      acceptance_rate: 0.4,
      average_answer_time: 5.5,
    };
    for (const row of await agentRows(agent)) expect(row).toMatchObject(expected);
    for (const row of await agentRows(agent, `department_id=${department.id}`)) {
      expect(row).toMatchObject(expected);
    }
    const none = {
      offers: 0,
      accepted_offers: 0,
      declined_offers: 0,
      missed_offers: 0,
      acceptance_rate: null,
      average_answer_time: null,
    };
    for (const row of await agentRows(agent, `department_id=${target.id}`)) expect(row).toMatchObject(none);
    for (const row of await agentRows(colleague)) expect(row).toMatchObject(none);
  });
});

describe('the times of an agent', () => {
  it('are those of each state; occupancy is the time in calls and in wrap-up', async () => {
    let began = secondsAfter(test.clock.now(), -7200);
    for (const [presence, state, seconds] of [
      ['online', 'available', 150],
      ['online', 'offered', 50],
      ['busy', 'on_call', 600],
      ['busy', 'wrap_up', 200],
      ['away', 'paused', 80],
      // Recorded by an instance of a release without states.
      ['busy', null, 100],
      ['online', null, 30],
      ['away', null, 20],
    ] as const) {
      const ended = secondsAfter(began, seconds);
      await test.db.query(
        `INSERT INTO presence_periods (tenant_id, user_id, presence, state, began_at, ended_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [tenant.id, agent.id, presence, state, began, ended],
      );
      began = ended;
    }
    for (const row of await agentRows(agent)) {
      expect(row).toMatchObject({
        online_time: 1130,
        occupancy: 0.7965,
        state_times: { available: 180, offered: 50, on_call: 700, wrap_up: 200, paused: 100 },
      });
    }
  });
});

describe('the views of the previous release', () => {
  it('have its sums: a call is answered that is active or was completed', async () => {
    const started = await startedCall(10);
    test.clock.advance(100);
    await transfer(started);
    test.clock.advance(50);
    await abandon(started);
    const { call_id } = await tenant.join(link);
    test.clock.advance(15);
    await act(call_id, 'complete');
    await refreshViews(test);
    const sums = `sum(total_calls)::int AS total_calls, sum(answered_in_time)::int AS answered_in_time,
      sum(answer_wait)::int AS answer_wait, sum(abandoned_calls)::int AS abandoned_calls,
      sum(handled_calls)::int AS handled_calls`;
    const [byDepartment, byAgent] = await test
      .get(Database)
      .readTenant<[Json, Json]>(tenant.id, [
        { text: `SELECT ${sums} FROM call_hours` },
        { text: `SELECT ${sums} FROM agent_hours WHERE user_id = $1`, values: [agent.id] },
      ]);
    const completed = { answered_in_time: 1, answer_wait: 15, handled_calls: 0 };
    expect(byDepartment).toEqual([{ total_calls: 2, abandoned_calls: 1, ...completed }]);
    expect(byAgent).toEqual([{ total_calls: 1, abandoned_calls: 0, ...completed }]);
  });
});
