import { Queue } from '../../src/calls/queue/queue';
import { QueueSummaries } from '../../src/live/queue-summaries';
import { expectStatus, TestTenant } from '../support/builders';
import { changeCall } from '../support/contexts/line';
import {
  type OverflowingQueue,
  overflowingQueue,
  setDepartment,
  untilOverflowed,
} from '../support/contexts/overflow';
import { activeCall } from '../support/contexts/transfers';
import { oneTo } from '../support/database/rows';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Seconds of a call that are assumed while the department has not completed any. */
const HANDLE_TIME = 180;
/** Seconds until an idle agent is assumed to answer. */
const ANSWER_TIME = 10;

let test: TestApp;
let tenant: TestTenant;
let queue: OverflowingQueue;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  queue = await overflowingQueue(tenant);
});

afterAll(() => test.close());

const statusOf = async (id: string): Promise<Json> =>
  (await test.api.get(`/api/v1/call/status/${id}`)).body.data;
const cancel = async ({ call_id, websocket_token }: Json) =>
  expectStatus(await test.api.as(websocket_token).post(`/api/v1/call/cancel/${call_id}`), 200);

interface WaitingRow {
  id: string;
  department_id: string;
  overflow_department_id: string | null;
}

/** The waiting calls of the tenant in the order of their ranks. */
async function waitingCalls(): Promise<WaitingRow[]> {
  const { rows } = await test.db.query<WaitingRow>(
    `SELECT id, department_id, overflow_department_id FROM calls WHERE tenant_id = $1 AND status = 'queued'
     ORDER BY priority_since NULLS LAST, rank_at, queue_number`,
    [tenant.id],
  );
  return rows;
}

/** The ids of the calls in the line of a department, in order. */
const lineOf = (calls: WaitingRow[], department: string): string[] =>
  calls
    .filter((call) => [call.department_id, call.overflow_department_id].includes(department))
    .map(({ id }) => id);

/** What a call's customer is told: the better position, that of its own department if both are the same. */
function placeOf(calls: WaitingRow[], { id, department_id, overflow_department_id }: WaitingRow) {
  const places = [department_id, overflow_department_id]
    .filter((department) => department !== null)
    .map((department) => lineOf(calls, department))
    .map((line) => ({ position: line.indexOf(id) + 1, queue_size: line.length }));
  return places.reduce((best, place) => (place.position < best.position ? place : best));
}

/** Compares the ways of reading positions with the lines of all waiting calls. @param departments that have lines */
async function expectPositions(departments: string[]): Promise<void> {
  const calls = await waitingCalls();
  const reader = test.get(Queue);
  const expected = new Map(calls.map((call) => [call.id, placeOf(calls, call)]));
  const together = await Promise.all(calls.map(({ id }) => reader.positionOf(tenant.id, id)));
  for (const [index, { id }] of calls.entries()) {
    expect(together[index]).toMatchObject({ call_id: id, ...expected.get(id) });
    expect(await reader.positionOf(tenant.id, id)).toEqual(together[index]);
  }
  const summaries = await test.get(QueueSummaries).ofDepartments(tenant.id, departments);
  for (const [index, department] of departments.entries()) {
    const line = lineOf(calls, department);
    const positions = await reader.positionsOf(tenant.id, department);
    expect(positions.map(({ call_id }) => call_id)).toEqual(line);
    expect(positions.map(({ position }) => position)).toEqual(oneTo(line.length));
    for (const { is_overflowed, ...position } of positions) {
      const best = together.find((one) => one?.call_id === position.call_id);
      if (!is_overflowed) expect(best).toMatchObject(position);
      else expect(await reader.bestPositionsOf(tenant.id, [position.call_id])).toEqual([best]);
    }
    expect(summaries[index]).toMatchObject({ department_id: department, size: line.length });
    expect(summaries[index]?.calls.map(({ id }) => id)).toEqual(line);
    expect(await reader.countsOf(tenant.id, department)).toMatchObject({ queue_size: line.length });
  }
}

describe('the position of a call that overflowed', () => {
  it('counts calls once for a customer who joins the target, if its agents serve both departments', async () => {
    const { department, link, target, targetLink } = await overflowingQueue(
      tenant,
      {},
      { max_wait_time: 86_400 },
    );
    const member = await tenant.member('attendant', [department.id, target.id]);
    await connect(member.token);
    await activeCall(tenant, link, member);
    for (let calls = 0; calls < 2; calls++) await untilOverflowed(test, (await tenant.join(link)).call_id);
    const validated = (await test.api.get(`/api/v1/call/${targetLink.token}/validate`)).body.data;
    const { call_id, position, estimated_wait_time } = await tenant.join(targetLink);
    const told = { position, estimated_wait_time };
    expect(await statusOf(call_id)).toMatchObject(told);
    expect(position).toBe(3);
    expect(validated.estimated_wait_time).toBe(estimated_wait_time);
  });

  it('is the better one of two lines, and counts in both', async () => {
    const ahead = [await tenant.join(queue.targetLink), await tenant.join(queue.targetLink)];
    const first = await tenant.join(queue.link);
    const second = await tenant.join(queue.link);
    for (const { call_id } of [first, second]) await untilOverflowed(test, call_id);
    const behind = await tenant.join(queue.targetLink);
    expect(behind).toMatchObject({ position: 5, estimated_wait_time: 5 * HANDLE_TIME });
    expect(await statusOf(second.call_id)).toMatchObject({ position: 2 });
    await cancel(ahead[0]);
    await cancel(ahead[1]);
    expect(await statusOf(second.call_id)).toMatchObject({ position: 2 });
    expect(await statusOf(behind.call_id)).toMatchObject({ position: 3 });
    await expectPositions([queue.department.id, queue.target.id]);
  });

  it('comes with the estimate of the better line', async () => {
    const agents = [
      await tenant.member('attendant', [queue.target.id]),
      await tenant.member('attendant', [queue.target.id]),
    ];
    for (const { token } of agents) await connect(token);
    await setDepartment(tenant, queue.department, { overflow_after: null });
    await tenant.join(queue.link);
    const { call_id } = await tenant.join(queue.link);
    expect(await statusOf(call_id)).toMatchObject({ position: 2, estimated_wait_time: 2 * HANDLE_TIME });
    await changeCall(test, call_id, { overflow_department_id: queue.target.id });
    // The agents of the target are idle.
    const better = { position: 1, estimated_wait_time: ANSWER_TIME };
    await until(async () => (await statusOf(call_id)).estimated_wait_time === better.estimated_wait_time);
    expect(await statusOf(call_id)).toMatchObject(better);
  });

  it('is without gaps in any line, however calls overflow', async () => {
    const third = await tenant.queue();
    const departments = [queue.department.id, queue.target.id, third.department.id];
    await setDepartment(tenant, queue.department, { overflow_after: null });
    const links = [queue.link, queue.targetLink, third.link as { token: string }];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 30; round++) {
      const { call_id } = await tenant.join(links[random(3)] ?? queue.link);
      const { department_id } = (await waitingCalls()).find(({ id }) => id === call_id) ?? {};
      const target = [null, ...departments.filter((id) => id !== department_id)][random(3)];
      const age = new Date(Date.now() - random(600) * 1000);
      const priority_since = random(4) === 0 ? age : null;
      await changeCall(test, call_id, { overflow_department_id: target, rank_at: age, priority_since });
      if (random(3) === 0) {
        const calls = await waitingCalls();
        const { id } = calls[random(calls.length)] ?? {};
        expectStatus(await tenant.owner.api.post(`/api/v1/calls/${id}/assign`), 200);
      }
    }
    expect((await waitingCalls()).length).toBeGreaterThan(10);
    await expectPositions(departments);
  });
});

describe('a customer who joins', () => {
  it('stands behind the calls that overflowed, by rank, but these take no place of max_queue_size', async () => {
    await setDepartment(tenant, queue.target, { max_queue_size: 1 });
    const overflowed = await tenant.join(queue.link);
    await untilOverflowed(test, overflowed.call_id);
    const validated = (await test.api.get(`/api/v1/call/${queue.targetLink.token}/validate`)).body.data;
    expect(validated).toMatchObject({ queue_size: 1, estimated_wait_time: 2 * HANDLE_TIME });
    const joined = await tenant.join(queue.targetLink);
    expect(joined).toMatchObject({ position: 2, estimated_wait_time: 2 * HANDLE_TIME });
    const full = await test.api.post(`/api/v1/call/${queue.targetLink.token}/join`, { name: 'Late' });
    expectFailure(full, 422, { code: 'queue_full' });
  });

  it('with priority can stand before them', async () => {
    const overflowed = await tenant.join(queue.link);
    await untilOverflowed(test, overflowed.call_id);
    const link = await tenant.link(queue.target.id, { priority: 9 });
    expect(await tenant.join(link as { token: string })).toMatchObject({ position: 1 });
  });
});

describe('sockets', () => {
  it('of customers in either line get the positions that a change of the other one causes', async () => {
    const ahead = await tenant.join(queue.targetLink);
    const first = await tenant.join(queue.link);
    const second = await tenant.join(queue.link);
    const behind = await tenant.join(queue.targetLink);
    const [ofSecond, ofBehind] = [
      await connect(second.websocket_token),
      await connect(behind.websocket_token),
    ];
    await ofBehind.waitFor('queue_position', ({ position }) => position === 4);
    expect((await statusOf(second.call_id)).position).toBe(2);
    await cancel(ahead);
    await ofBehind.waitFor(
      'queue_position',
      ({ position, queue_size }) => position === 3 && queue_size === 3,
    );
    await cancel(first);
    await ofSecond.waitFor('queue_position', ({ position }) => position === 1);
    await ofBehind.waitFor('queue_position', ({ position }) => position === 2);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${second.call_id}/assign`), 200);
    await ofBehind.waitFor('queue_position', ({ position }) => position === 1);
  });

  it('of members of the target get the call, its end, and the queue with it', async () => {
    await setDepartment(tenant, queue.department, { overflow_after: null });
    const member = await tenant.member('attendant', [queue.target.id]);
    const socket = await connect(member.token);
    await socket.waitFor('snapshot');
    await socket.send('watch_department', { department_id: queue.target.id });
    const { call_id } = await tenant.join(queue.link);
    await setDepartment(tenant, queue.department, { overflow_after: 0 });
    const updated = await socket.waitFor('call_updated', ({ id }) => id === call_id);
    expect(updated).toMatchObject({
      department_id: queue.department.id,
      overflow_department_id: queue.target.id,
      version: 2,
    });
    const rows = await socket.waitFor('queue_updated', ({ calls }) => calls?.length === 1);
    expect(rows).toMatchObject({ department_id: queue.target.id, size: 1 });
    expect(rows.calls[0]).toMatchObject({ id: call_id, overflow_department_id: queue.target.id });
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    await socket.waitFor('call_assigned', ({ id }) => id === call_id);
    await socket.waitFor('queue_updated', ({ size, at }) => size === 0 && at > updated.at);
    // With an agent of another department the call is no longer theirs.
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/start`), 200);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    const next = await tenant.join(queue.link);
    await untilOverflowed(test, next.call_id);
    await cancel(next);
    await socket.waitFor('call_ended', ({ id }) => id === next.call_id);
    const ofFirst = socket.received.filter(({ payload }: Json) => payload?.id === call_id);
    expect(ofFirst.map(({ event }: Json) => event)).toEqual(['call_updated', 'call_assigned']);
  });
});

describe('with restrict_attendants, a member of the target', () => {
  it('sees and takes a call while it waits in their line', async () => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);
    const member = await tenant.member('attendant', [queue.target.id]);
    const see = async (id: string) => (await member.api.get(`/api/v1/calls/${id}`)).status;
    const [taken, kept] = [await tenant.join(queue.link), await tenant.join(queue.link)];
    for (const { call_id } of [taken, kept]) await untilOverflowed(test, call_id);
    const listed = (await member.api.get('/api/v1/calls')).body.data;
    expect(listed.map(({ id }: Json) => id).toSorted()).toEqual([taken.call_id, kept.call_id].toSorted());
    const own = (await member.api.get(`/api/v1/calls?department_id=${queue.target.id}`)).body.data;
    expect(own).toEqual([]);
    expectStatus(await member.api.post(`/api/v1/calls/${taken.call_id}/start`), 200);
    expect(await see(taken.call_id)).toBe(200);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${kept.call_id}/start`), 200);
    expect(await see(kept.call_id)).toBe(404);
  });

  it('does not see a call that has not overflowed', async () => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);
    await setDepartment(tenant, queue.department, { overflow_after: 3600 });
    const member = await tenant.member('attendant', [queue.target.id]);
    const { call_id } = await tenant.join(queue.link);
    expectFailure(await member.api.post(`/api/v1/calls/${call_id}/start`), 404);
  });
});
