import { LineEntrySweeper } from '../../src/calls/line/line-entry-sweeper';
import { ClaimCall } from '../../src/routing/dispatch/claim-call';
import { RoutingSweep } from '../../src/routing/dispatch/routing-sweep';
import { expectStatus, TestTenant } from '../support/builders';
import { expectOutcomes, playRounds, race, RaceLine, raceLines } from '../support/contexts/offer-races';
import { automaticQueue, offersOf, untilState } from '../support/contexts/offers';
import { expectRoutingConsistent, subscribeToRouting } from '../support/contexts/routing-consistency';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { expectNoRetries } from '../support/database/lock-order';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { raceRounds } from '../support/race-rounds';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp, withConnectionPool } from '../support/test-app';
import { until } from '../support/until';

const ROUNDS = raceRounds(200, 2, 10);
/** Rounds with several calls, or with a department of their own. */
const LONG_ROUNDS = raceRounds(200, 2, 6);
/** Rounds with ten customers and ten agents. */
const TEAM_ROUNDS = raceRounds(200, 1, 4);
/** Rounds that need the end of a requirement. */
const SLOW_ROUNDS = raceRounds(50, 1, 4);
/** Rounds that need new sockets. */
const SOCKET_ROUNDS = raceRounds(200, 1, 4);

/** Two instances of the service on one database: what one has not decided yet, the other may decide. */
let test: TestApp;
let other: TestApp;
let tenant: TestTenant;
let receiver: WebhookReceiver;
let lines: RaceLine[];
let manual: Json;

beforeAll(async () => {
  test = withConnectionPool(await startTestApp());
  other = await startTestApp({ databaseUrl: test.databaseUrl });
  tenant = await TestTenant.register(test);
  receiver = await WebhookReceiver.start();
  await subscribeToRouting(tenant, receiver.url);
  lines = await raceLines(test, tenant, ROUNDS);
  manual = await tenant.queue({ max_queue_size: 1000 });
});

afterEach(() => expectRoutingConsistent(test, tenant));

afterAll(async () => {
  for (const line of lines) line.close();
  await receiver.stop();
  await other.close();
  await test.close();
});

expectNoRetries(() => [test, other]);

const put = (path: string, body: Json) => tenant.owner.api.put(`/api/v1/${path}`, body);
const post = (path: string, body?: Json) => tenant.owner.api.post(`/api/v1/${path}`, body);
const setDepartments = ({ agent }: RaceLine, department_ids: string[]) =>
  put(`users/${agent.id}`, { user: { department_ids } });
const chooseAtOther = ({ agent }: RaceLine, state: string) =>
  other.api.as(agent.token).put(`/api/v1/users/${agent.id}/state`, { state });
const joinAtOther = async ({ link }: RaceLine): Promise<string> =>
  (await other.api.post(`/api/v1/call/${link.token}/join`, { name: 'Ana' })).body.data.call_id;
const join = async ({ link }: RaceLine): Promise<string> => (await tenant.join(link)).call_id;
const cancelled = (callId: string) => post(`calls/${callId}/complete`);

/** Claims a call by both instances at once, and lets both look for calls. */
async function claimAll({ department, agent }: RaceLine, callId: string): Promise<void> {
  const call = { tenant_id: tenant.id, call_id: callId, department_id: department.id, candidates: [] };
  const claims = [test, other, test, other].map((app) => app.get(ClaimCall).claim(call, agent.id));
  const results = await Promise.all(claims);
  expect(results.filter((result) => result === 'offered').length).toBeLessThanOrEqual(1);
}

/** The pending offers of these calls. */
async function pendingOf(...callIds: string[]): Promise<Json[]> {
  const { rows } = await test.db.query(
    `SELECT * FROM offers WHERE call_id = ANY ($1) AND status = 'pending' ORDER BY call_id`,
    [callIds],
  );
  return rows;
}

/** Waits until each of these calls is offered. @returns the agents, all different */
async function untilOffered(...callIds: string[]): Promise<string[]> {
  const offers = await until(
    async () => {
      const pending = await pendingOf(...callIds);
      return pending.length >= callIds.length && pending;
    },
    () => `one of the calls ${callIds.join(', ')} is not offered`,
  );
  const agents = new Set(offers.map(({ user_id }) => user_id));
  expect([agents.size, offers.length]).toEqual([callIds.length, callIds.length]);
  return [...agents];
}

/** Waits until the call has no pending offer. @returns how its offers have ended, without repetition */
async function untilFree(callId: string): Promise<string[]> {
  await until(
    async () => (await pendingOf(callId)).length === 0,
    () => `the call ${callId} is still offered`,
  );
  const offers = await offersOf(test, callId);
  return [...new Set(offers.map(({ status, reason }) => `${status} ${reason}`))];
}

/** Checks that what a race undid, was undone for one of these reasons. @returns whether an offer was made before */
function offeredFirst(ends: string[], ...expected: string[]): string {
  expect([[], ...expected.map((end) => [end])]).toContainEqual(ends);
  return ends.length === 0 ? 'not offered' : 'offered first';
}

/** An offer is made some time after a join, which takes longer than most requests. */
const JOIN_AND_OFFER = 10;

/** The outcomes of a race between an offer and a change that undoes it. */
const OFFERED_OR_NOT = ['not offered', 'offered first'];

/** Plays the rounds with two departments that share their two agents. */
async function playPairs(
  rounds: number,
  play: (pair: [RaceLine, RaceLine], round: number) => Promise<void>,
): Promise<void> {
  const [one, two] = [await RaceLine.open(test, tenant), await RaceLine.open(test, tenant)];
  for (const line of [one, two]) {
    expectStatus(await setDepartments(line, [one.department.id, two.department.id]), 200);
  }
  for (let round = 0; round < rounds; round++) {
    await play([one, two], round);
    // Either agent may have the offer of either call.
    await one.endCalls();
    await two.reset();
    await one.reset();
  }
  one.close();
  two.close();
}

describe('a call', () => {
  it('is offered once, although both instances find it when an agent becomes available', async () => {
    await playRounds(lines, ROUNDS, async (line) => {
      expectStatus(await line.choose('paused'), 200);
      const callId = await join(line);
      await Promise.all([
        line.choose('available'),
        claimAll(line, callId),
        ...[test, other].map((app) => app.get(RoutingSweep).sweep()),
      ]);
      await untilOffered(callId);
      expect(await offersOf(test, callId)).toHaveLength(1);
      return 'offered';
    });
  });

  it('is offered to one of two agents, and another call to the other one', async () => {
    await playPairs(LONG_ROUNDS, async ([one, two]) => {
      await Promise.all([one.choose('paused'), two.choose('paused')]);
      const calls = [await join(one), await join(two)];
      await Promise.all([
        one.choose('available'),
        chooseAtOther(two, 'available'),
        claimAll(one, calls[0] ?? ''),
        claimAll(two, calls[1] ?? ''),
      ]);
      expect((await untilOffered(...calls)).toSorted()).toEqual([one.agent.id, two.agent.id].toSorted());
      for (const callId of calls) expect(await offersOf(test, callId)).toHaveLength(1);
    });
  });

  it('of another department waits while the agent of both has an offer', async () => {
    const second = await RaceLine.open(test, tenant);
    second.close();
    await playRounds(lines.slice(0, 1), LONG_ROUNDS, async (line) => {
      expectStatus(await setDepartments(line, [line.department.id, second.department.id]), 200);
      const calls = await Promise.all([join(line), joinAtOther(second)]);
      const [first] = await until(async () => {
        const pending = await pendingOf(...calls);
        return pending.length > 0 && pending;
      });
      expect(await pendingOf(...calls)).toHaveLength(1);
      expectStatus(await line.agent.api.post(`/api/v1/offers/${first?.id}/decline`), 200);
      await untilOffered(calls.find((id) => id !== first?.call_id) ?? '');
      await cancelled(calls[1] ?? '');
      return 'offered';
    });
    await setDepartments(lines[0], [lines[0].department.id]);
  });

  it('that is offered or forced at the same time has one offer', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      expectStatus(await line.choose('paused'), 200);
      const callId = await join(line);
      const [, forced] = await race(
        round,
        () => line.choose('available'),
        () => post(`calls/${callId}/offer`, { user_id: line.agent.id }),
      );
      expect([201, 422]).toContain(forced.status);
      await untilOffered(callId);
      return forced.status === 201 ? 'forced' : 'offered';
    });
    expectOutcomes(outcomes, ['forced', 'offered']);
  });

  it('is offered when its skills are relaxed or an agent who has them becomes available', async () => {
    const skill = await createSkill(tenant);
    await playPairs(SLOW_ROUNDS, async ([one, two], round) => {
      if (round === 0) await giveSkills(tenant, two.agent.id, { [skill]: 3 });
      expectStatus(await two.choose('paused'), 200);
      const skills = [{ skill_id: skill, min_level: 1 }];
      const { call_id } = await tenant.join(
        (await tenant.link(one.department.id, { skills })) as { token: string },
      );
      await test.db.query('UPDATE line_entries SET relax_at = $2 WHERE call_id = $1', [
        call_id,
        test.clock.now(),
      ]);
      await race(
        round,
        () => test.get(LineEntrySweeper).sweep(),
        () => chooseAtOther(two, 'available'),
      );
      await untilOffered(call_id);
      expect(await offersOf(test, call_id)).toHaveLength(1);
    });
  });

  it('is offered when its reservation ends or the agent whom it is kept for becomes free', async () => {
    await playPairs(SLOW_ROUNDS, async ([one, two], round) => {
      const { call_id: busyWith } = await tenant.join(manual.link);
      expectStatus(await post(`calls/${busyWith}/assign`, { user_id: two.agent.id }), 200);
      expectStatus(await one.choose('paused'), 200);
      const callId = await join(one);
      const soon = new Date(Number(test.clock.now()) + 60_000);
      const reserve = 'UPDATE line_entries SET reserved_user_id = $2, reserved_until = $3 WHERE call_id = $1';
      await test.db.query(reserve, [callId, two.agent.id, soon]);
      expectStatus(await one.choose('available'), 200);
      expect(await pendingOf(callId)).toEqual([]);
      await test.db.query(reserve, [callId, two.agent.id, test.clock.now()]);
      await race(
        round,
        () => test.get(LineEntrySweeper).sweep(),
        () => post(`calls/${busyWith}/complete`),
      );
      await untilOffered(callId);
      expect(await offersOf(test, callId)).toHaveLength(1);
    });
  });
});

describe('an offer that is made while', () => {
  it('the agent pauses is withdrawn', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const [callId, paused] = await race(
        round,
        () => join(line),
        () => chooseAtOther(line, 'paused'),
        JOIN_AND_OFFER,
      );
      expectStatus(paused, 200);
      const ends = await untilFree(callId);
      await untilState(test, line.agent.id, 'paused');
      return offeredFirst(ends, 'withdrawn agent_paused');
    });
    expectOutcomes(outcomes, OFFERED_OR_NOT);
  });

  it('the last socket of the agent closes is withdrawn, and made again when they are back', async () => {
    const outcomes = await playRounds(lines, SOCKET_ROUNDS, async (line, round) => {
      const [callId] = await race(
        round,
        () => joinAtOther(line),
        async () => line.agent.socket.close(),
        JOIN_AND_OFFER,
      );
      await untilState(test, line.agent.id, 'offline');
      const ends = await untilFree(callId);
      line.agent.socket = await TestSocket.connect(other.url, line.agent.token);
      await untilOffered(callId);
      return offeredFirst(ends, 'withdrawn agent_offline');
    });
    expectOutcomes(outcomes, OFFERED_OR_NOT);
  });

  it('the agent gets another call is withdrawn, and made again after that call', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const { call_id: taken } = await tenant.join(manual.link);
      const [callId, assigned] = await race(
        round,
        () => joinAtOther(line),
        () => post(`calls/${taken}/assign`, { user_id: line.agent.id }),
        JOIN_AND_OFFER,
      );
      expectStatus(assigned, 200);
      const ends = await untilFree(callId);
      await untilState(test, line.agent.id, 'on_call');
      expectStatus(await post(`calls/${taken}/complete`), 200);
      await untilOffered(callId);
      return offeredFirst(ends, 'withdrawn agent_busy');
    });
    expectOutcomes(outcomes, OFFERED_OR_NOT);
  });

  it('the customer leaves is withdrawn', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      expectStatus(await line.choose('paused'), 200);
      const { call_id, websocket_token } = await tenant.join(line.link);
      const [, left] = await race(
        round,
        () => chooseAtOther(line, 'available'),
        () => test.api.as(websocket_token).post(`/api/v1/call/cancel/${call_id}`),
      );
      expectStatus(left, 200);
      return offeredFirst(await untilFree(call_id), 'withdrawn customer_left');
    });
    expectOutcomes(outcomes, OFFERED_OR_NOT);
  });

  it.each([
    ['the agent leaves the department', 'not_a_member', (line: RaceLine) => setDepartments(line, [])],
    [
      'the department becomes manual',
      'department_changed',
      ({ department }: RaceLine) =>
        put(`departments/${department.id}`, { department: { routing: 'manual' } }),
    ],
  ])('%s is withdrawn, and made again when that is undone', async (_name, reason, change) => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const [callId, changed] = await race(
        round,
        () => joinAtOther(line),
        () => change(line),
        JOIN_AND_OFFER,
      );
      expectStatus(changed, 200);
      const ends = await untilFree(callId);
      expectStatus(await setDepartments(line, [line.department.id]), 200);
      expectStatus(
        await put(`departments/${line.department.id}`, { department: { routing: 'automatic' } }),
        200,
      );
      await untilOffered(callId);
      // No lock keeps an offer from being made from what was read before the change: the next sweep withdraws it.
      return offeredFirst(
        ends.filter((end) => end !== 'pending null'),
        `withdrawn ${reason}`,
      );
    });
    expectOutcomes(outcomes, OFFERED_OR_NOT);
  });
});

/** Waits until no transaction is open: an offer that is being made may not be committed yet. */
const untilIdle = () =>
  until(
    async () => {
      const { rowCount } = await test.db.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND state <> 'idle'
           AND pid <> pg_backend_pid()`,
      );
      return rowCount === 0;
    },
    () => 'the applications are never idle',
  );

describe('an offer that loses its basis while it is made', () => {
  it.each([
    ['the agent leaves the department', ['not_a_member'], (line: RaceLine) => setDepartments(line, [])],
    [
      'the agent is deactivated',
      // Their sockets are closed, too.
      ['agent_inactive', 'agent_offline'],
      ({ agent }: RaceLine) => put(`users/${agent.id}`, { user: { active: false } }),
    ],
    [
      'the department becomes manual',
      ['department_changed'],
      ({ department }: RaceLine) =>
        put(`departments/${department.id}`, { department: { routing: 'manual' } }),
    ],
    [
      'the department is deleted',
      ['department_changed'],
      ({ department }: RaceLine) => tenant.owner.api.delete(`/api/v1/departments/${department.id}`),
    ],
  ])('because %s is not pending after one sweep', async (_name, reasons, change) => {
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < LONG_ROUNDS; round++) {
      const line = await RaceLine.open(test, tenant);
      expectStatus(await line.choose('paused'), 200);
      const callId = await join(line);
      const [, changed] = await race(
        round,
        () => chooseAtOther(line, 'available'),
        () => change(line),
      );
      expect([200, 204]).toContain(changed.status);
      await untilIdle();
      await test.get(RoutingSweep).sweep();
      expect(await pendingOf(callId)).toEqual([]);
      const outcome = offeredFirst(
        await untilFree(callId),
        ...reasons.map((reason) => `withdrawn ${reason}`),
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      line.close();
      await line.endCalls();
    }
    expectOutcomes(outcomes, OFFERED_OR_NOT);
  });
});

describe('agents who become available while customers join', () => {
  it('all get one of the calls', async () => {
    const queue = await automaticQueue(tenant, { max_queue_size: 1000 });
    const team = await Promise.all(oneTo(10).map(() => RaceLine.join(test, tenant, queue)));
    for (let round = 0; round < TEAM_ROUNDS; round++) {
      await Promise.all(team.map((line) => line.choose('paused')));
      const [calls] = await Promise.all([
        Promise.all(team.map(async () => (await tenant.join(queue.link as { token: string })).call_id)),
        Promise.all(
          team.map((line, index) =>
            index % 2 ? chooseAtOther(line, 'available') : line.choose('available'),
          ),
        ),
      ]);
      const agents = await untilOffered(...calls);
      expect(agents.toSorted()).toEqual(team.map(({ agent }) => agent.id).toSorted());
      await Promise.all(team.map((line) => line.choose('paused')));
      await Promise.all(calls.map(cancelled));
    }
    for (const line of team) line.close();
  });
});
