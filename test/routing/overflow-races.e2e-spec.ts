import { OverflowSweeper } from '../../src/calls/overflow/overflow-sweeper';
import { Database } from '../../src/platform/database/database';
import { departmentEnded } from '../support/contexts/departments';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { race } from '../support/contexts/offer-races';
import { availableAgent, type ConnectedAgent, offersOf, untilState } from '../support/contexts/offers';
import {
  callRow,
  type OverflowingQueue,
  overflowingQueue,
  setDepartment,
  untilOverflowed,
} from '../support/contexts/overflow';
import { entriesOf } from '../support/contexts/line';
import { expectNoRetries } from '../support/database/lock-order';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { oneTo } from '../support/database/rows';
import type { Answer, Json } from '../support/http/api';
import { raceRounds } from '../support/race-rounds';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp, withConnectionPool } from '../support/test-app';
import { until } from '../support/until';

const ROUNDS = raceRounds(100, 2, 10);
/** Rounds with departments of their own. */
const SLOW_ROUNDS = raceRounds(50, 1, 6);

/** Two instances of the service on one database. */
let test: TestApp;
let other: TestApp;
let tenant: TestTenant;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = withConnectionPool(await startTestApp());
  other = await startTestApp({ databaseUrl: test.databaseUrl });
  tenant = await TestTenant.register(test);
});

afterAll(async () => {
  await other.close();
  await test.close();
});

expectNoRetries(() => [test, other]);

const complete = async (callId: string) =>
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${callId}/complete`), 200);
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

/** A call that waits in both lines. */
async function overflowedCall({ link }: OverflowingQueue): Promise<string> {
  const { call_id } = await tenant.join(link);
  await untilOverflowed(test, call_id);
  return call_id;
}

const choose = (app: TestApp, { id, token }: ConnectedAgent, state: string) =>
  app.api.as(token).put(`/api/v1/users/${id}/state`, { state });
const sweepBoth = () => Promise.all([test, other].map((app) => app.get(OverflowSweeper).sweep()));

describe('a call in two lines', () => {
  it('is taken by one of the members who start it at the same time', async () => {
    const queue = await overflowingQueue(tenant, { max_queue_size: 1000 });
    const own = await tenant.member('attendant', [queue.department.id]);
    const ofTarget = await tenant.member('attendant', [queue.target.id]);
    for (let round = 0; round < ROUNDS; round++) {
      const callId = await overflowedCall(queue);
      const start = (app: TestApp, { token }: Member) =>
        app.api.as(token).post(`/api/v1/calls/${callId}/start`);
      const answers = await race(
        round,
        () => start(test, own),
        () => start(other, ofTarget),
      );
      expect(statuses(answers)).toEqual([200, 422]);
      const winner = answers[0].status === 200 ? own : ofTarget;
      expect(await callRow(test, callId)).toMatchObject({ status: 'active', user_id: winner.id });
      expect(await entriesOf(test, callId)).toEqual([]);
      await complete(callId);
    }
  });

  it('has one offer, whichever line an instance finds it in', async () => {
    const automatic = { routing: 'automatic', max_queue_size: 1000 };
    const queue = await overflowingQueue(tenant, automatic, automatic);
    const agents = [
      await availableAgent(tenant, connect, [queue.department.id]),
      await availableAgent(tenant, connect, [queue.target.id]),
      await availableAgent(tenant, connect, [queue.department.id, queue.target.id]),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      for (const agent of agents) expectStatus(await choose(test, agent, 'paused'), 200);
      const calls = [await overflowedCall(queue), await overflowedCall(queue)];
      await Promise.all(agents.map((agent, index) => choose(index % 2 ? other : test, agent, 'available')));
      const offers = await until(async () => {
        const made = (await Promise.all(calls.map((id) => offersOf(test, id)))).flat();
        return made.length >= 2 && made;
      });
      expect(offers.map(({ call_id }) => call_id).toSorted()).toEqual(calls.toSorted());
      expect(new Set(offers.map(({ user_id }) => user_id)).size).toBe(2);
      expect(offers.map(({ status }) => status)).toEqual(['pending', 'pending']);
      for (const agent of agents) expectStatus(await choose(test, agent, 'paused'), 200);
      for (const agent of agents) await untilState(test, agent.id, 'paused');
      for (const id of calls) await complete(id);
    }
  });
});

describe('a call that is due', () => {
  it('overflows once, however many instances find it, or is taken', async () => {
    const queue = await overflowingQueue(tenant, { overflow_after: 3600, max_queue_size: 1000 });
    const agent = await tenant.member('attendant', [queue.department.id]);
    for (let round = 0; round < SLOW_ROUNDS; round++) {
      await setDepartment(tenant, queue.department, { overflow_after: 3600 });
      const calls = await Promise.all(oneTo(4).map(async () => (await tenant.join(queue.link)).call_id));
      await setDepartment(tenant, queue.department, { overflow_after: 0 });
      const taken = calls[0] ?? '';
      const [, assigned] = await race(round, sweepBoth, () =>
        agent.api.post(`/api/v1/calls/${taken}/assign`),
      );
      expectStatus(assigned, 200);
      for (const id of calls.slice(1)) {
        expect(await untilOverflowed(test, id)).toMatchObject({ version: 2 });
        expect(await entriesOf(test, id)).toHaveLength(2);
      }
      const { version, overflowed_at } = await callRow(test, taken);
      expect(version).toBe(overflowed_at === null ? 2 : 3);
      expect(await entriesOf(test, taken)).toEqual([]);
      for (const id of calls) await complete(id);
    }
  });

  it.each<[string, (target: Json) => Promise<unknown>]>([
    [
      'deleted',
      async ({ id }) => {
        await tenant.owner.api.delete(`/api/v1/departments/${id}`);
        await departmentEnded(test, id);
      },
    ],
    ['deactivated', (target) => setDepartment(tenant, target, { active: false })],
  ])('does not stay in the line of a target that is %s meanwhile', async (_name, change) => {
    for (let round = 0; round < SLOW_ROUNDS; round++) {
      const queue = await overflowingQueue(tenant, { overflow_after: 3600 });
      const calls = await Promise.all(oneTo(3).map(async () => (await tenant.join(queue.link)).call_id));
      await setDepartment(tenant, queue.department, { overflow_after: 0 });
      await race(round, sweepBoth, () => change(queue.target));
      for (const id of calls) {
        const call = await callRow(test, id);
        expect(call).toMatchObject({ status: 'queued', overflow_department_id: null });
        expect(call.version).toBe(call.overflowed_at === null ? 1 : 3);
        expect(await entriesOf(test, id)).toHaveLength(1);
        await complete(id);
      }
    }
  });

  it('waits for a change of the target, and stays in its own line if that deactivates it', async () => {
    const queue = await overflowingQueue(tenant, { overflow_after: 3600 });
    const { call_id } = await tenant.join(queue.link);
    let sweep: Promise<unknown> | undefined;
    await test.get(Database).tenant(tenant.id, async (tx) => {
      await tx.query('UPDATE departments SET active = false WHERE id = $1', [queue.target.id]);
      await setDepartment(tenant, queue.department, { overflow_after: 0 });
      sweep = sweepBoth();
      await waitForLockWaiters(test);
    });
    await sweep;
    expect(await callRow(test, call_id)).toMatchObject({ overflowed_at: null, version: 1 });
    await complete(call_id);
  });
});
