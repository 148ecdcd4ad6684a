import { CallSweeper } from '../../src/calls/machine/call-sweeper';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { departmentEnded } from '../support/contexts/departments';
import { endRingTimeout } from '../support/contexts/ring-timeouts';
import { sweep } from '../support/contexts/sweep';
import { expectNoRetries } from '../support/database/lock-order';
import { callRow, eventsOf } from '../support/database/rows';
import type { Answer, Json } from '../support/http/api';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const ROUNDS = raceRounds(100);
const ASSIGNED = ['call.queued', 'call.assigned'];

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let supervisor: Member;
let link: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  supervisor = await tenant.member('supervisor');
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
});

afterAll(() => test.close());

expectNoRetries(() => [test]);

interface Outcome {
  answer: Answer;
  /** The call after the race. */
  row: Json;
  /** The types of its events after the assignment. */
  events: string[];
}

/** Assigns a call to the agent, and runs the request while the ring timeout passes, a little later in each round. */
async function race(round: number, entry: Json, request: () => Promise<Answer>): Promise<Outcome> {
  const { call_id } = entry;
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
  await endRingTimeout(test, call_id);
  const [answer] = await Promise.all([request(), sweepAfter(round % 10)]);
  // A sweep skips a call that another transaction has locked.
  await sweep(test);
  const [row, events] = [await callRow(test, call_id), await eventsOf(test, call_id)];
  expect(row.version).toBe(events.length);
  expect(events.slice(0, 2)).toEqual(ASSIGNED);
  const requeues = events.filter((type) => type === 'call.requeued');
  expect(row.unanswered_count).toBe(requeues.length);
  return { answer, row, events: events.slice(2) };
}

/** Sweeps after this number of statements, which take less than a millisecond each. */
async function sweepAfter(statements: number): Promise<void> {
  for (let count = 0; count < statements; count++) await test.db.query('SELECT');
  await test.get(CallSweeper).sweep();
}

const post = (member: Member, call: Json, action: string, body?: Json) =>
  member.api.post(`/api/v1/calls/${call.call_id}/${action}`, body);

describe('a ring timeout that passes', () => {
  it('while the agent starts the call requeues it before or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await tenant.join(link);
      const { answer, row, events } = await race(round, entry, () => post(agent, entry, 'start'));
      expect(answer.status).toBe(200);
      expect(row).toMatchObject({
        status: 'active',
        user_id: agent.id,
        ring_deadline: null,
        wait_deadline: null,
      });
      // The start of a waiting call assigns it first.
      const requeued = ['call.requeued', 'call.assigned', 'call.started'];
      expect(events).toEqual(row.unanswered_count === 1 ? requeued : ['call.started']);
      expectStatus(await post(agent, entry, 'complete'), 200);
    }
  });

  it('while the customer cancels leaves the call cancelled', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await tenant.join(link);
      const token = entry.websocket_token;
      const { answer, row, events } = await race(round, entry, () =>
        test.api.post(`/api/v1/call/cancel/${entry.call_id}`, undefined, { token }),
      );
      expect(answer.status).toBe(200);
      const isRequeued = row.unanswered_count === 1;
      expect(events).toEqual(isRequeued ? ['call.requeued', 'call.cancelled'] : ['call.cancelled']);
      expect(row).toMatchObject({
        status: 'cancelled',
        user_id: isRequeued ? null : agent.id,
        next_deadline: null,
        suspended_wait_deadline: null,
      });
    }
  });

  it('while a supervisor takes the call over leaves it with the supervisor', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await tenant.join(link);
      const { answer, row, events } = await race(round, entry, () =>
        post(supervisor, entry, 'assign', { user_id: supervisor.id }),
      );
      expect(answer.status).toBe(200);
      expect(events).toEqual(
        row.unanswered_count === 1 ? ['call.requeued', 'call.assigned'] : ['call.assigned'],
      );
      expect(row).toMatchObject({ status: 'assigned', user_id: supervisor.id });
      expect(row.ring_deadline.getTime()).toBeGreaterThan(test.clock.now().getTime());
      expect(row.suspended_wait_deadline.getTime()).toBeGreaterThan(row.inserted_at.getTime());
      expectStatus(await post(supervisor, entry, 'complete'), 200);
    }
  });

  it('while its department is deleted ends the call or keeps the department', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const queue = await tenant.queue();
      const entry = await tenant.join(queue.link);
      const { answer, row, events } = await race(round, entry, async () => {
        const deletion = await tenant.owner.api.delete(`/api/v1/departments/${queue.department.id}`);
        // A job cancels the calls of a deleted department.
        if (deletion.status === 204) await departmentEnded(test, queue.department.id);
        return deletion;
      });
      expect([204, 422]).toContain(answer.status);
      expect(row).toMatchObject({
        status: answer.status === 204 ? 'cancelled' : 'queued',
        user_id: null,
        unanswered_count: 1,
      });
      expect(events).toEqual(answer.status === 204 ? ['call.requeued', 'call.cancelled'] : ['call.requeued']);
    }
  });
});

it('no call stays assigned to an agent who is deactivated during the assignment', async () => {
  const leaver = await tenant.member();
  const setActive = (active: boolean) => tenant.owner.api.put(`/api/v1/users/${leaver.id}`, { active });
  for (let round = 0; round < ROUNDS; round++) {
    const entry = await tenant.join(link);
    const [assignment, deactivation] = await Promise.all([
      post(supervisor, entry, 'assign', { user_id: leaver.id }),
      setActive(false),
    ]);
    expectStatus(deactivation, 200);
    expect([200, 422]).toContain(assignment.status);
    await until(async () => (await callRow(test, entry.call_id)).status === 'queued');
    const wasAssigned = assignment.status === 200;
    expect(await eventsOf(test, entry.call_id)).toEqual(
      wasAssigned ? [...ASSIGNED, 'call.requeued'] : ['call.queued'],
    );
    expectStatus(await setActive(true), 200);
  }
});
