import { expectStatus, type Member, TestTenant } from '../support/builders';
import { partsOf } from '../support/contexts/line';
import {
  accept,
  expectOutcomes,
  type OfferedCall,
  playRounds,
  race,
  RaceLine,
  raceLines,
  untilEnded,
} from '../support/contexts/offer-races';
import { offersOf, untilState } from '../support/contexts/offers';
import { expectRoutingConsistent, subscribeToRouting } from '../support/contexts/routing-consistency';
import { sweep } from '../support/contexts/sweep';
import { activeCall, requestTransfer, transfer } from '../support/contexts/transfers';
import { expectNoRetries } from '../support/database/lock-order';
import { callRow, oneTo } from '../support/database/rows';
import type { Answer } from '../support/http/api';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import { TestSocket } from '../support/sockets/socket';
import { type TestApp, withConnectionPool } from '../support/test-app';
import { until } from '../support/until';

const ROUNDS = raceRounds(200, 2, 10);
/** Rounds that need new sockets or agents, or several races. */
const SLOW_ROUNDS = raceRounds(100, 2, 5);

/** An active call that its agent offers to another one. */
interface TransferredCall extends OfferedCall {
  from: Member;
}

let test: TestApp;
let tenant: TestTenant;
let receiver: WebhookReceiver;
let supervisor: Member;
/** Their agents are those to whom calls are transferred. */
let lines: RaceLine[];
/** The agents who transfer the calls. */
const senders = new Map<RaceLine, Member>();

beforeAll(async () => {
  test = withConnectionPool(await sharedTestApp());
  tenant = await TestTenant.register(test);
  receiver = await WebhookReceiver.start();
  await subscribeToRouting(tenant, receiver.url);
  supervisor = await tenant.member('supervisor');
  lines = await raceLines(test, tenant, ROUNDS, { routing: 'manual' });
  for (const line of lines) senders.set(line, await tenant.member());
});

afterEach(() => expectRoutingConsistent(test, tenant));

afterAll(async () => {
  for (const line of lines) line.close();
  await receiver.stop();
  await test.close();
});

expectNoRetries(() => [test]);

async function transferred(line: RaceLine, from = senders.get(line)): Promise<TransferredCall> {
  if (!from) throw new Error('The line has no agent who transfers calls');
  const { call_id, websocket_token } = await activeCall(tenant, line.link as { token: string }, from);
  const { offer } = await transfer(from, call_id, { user_id: line.agent.id });
  return { call_id, websocket_token, offer_id: offer.id, agent: line.agent, from };
}

const complete = (member: Member, { call_id }: OfferedCall) =>
  member.api.post(`/api/v1/calls/${call_id}/complete`);

const partEndsOf = async ({ call_id }: OfferedCall) =>
  (await partsOf(test, call_id)).map(({ user_id, ended_by }) => [user_id, ended_by]);

/**
 * Checks that the call has the one agent whom the answer to the acceptance says, that its offer ended in the same way, and
 * its parts.
 * @param end the status and the last part of the call if the other side of the race took effect
 * @param isSecond whether that also happens after the acceptance
 * @returns which of both was first
 */
async function outcomeOf(
  call: TransferredCall,
  answer: Answer,
  end: { status: string; part: string; isSecond: boolean },
): Promise<string> {
  const { from, agent } = call;
  const isAccepted = answer.status === 200;
  const [offer] = await offersOf(test, call.call_id);
  const { status, user_id } = await callRow(test, call.call_id);
  if (isAccepted) {
    expect([offer?.status, offer?.reason, user_id]).toEqual(['accepted', null, agent.id]);
    expect(status).toBe(end.isSecond ? end.status : 'active');
    expect(await partEndsOf(call)).toEqual([
      [from.id, 'transferred'],
      [agent.id, end.isSecond ? end.part : null],
    ]);
    return 'accepted';
  }
  expect([answer.status, answer.body.errors.code]).toEqual([422, 'offer_ended']);
  const reason = end.status === 'queued' ? 'reassigned' : 'call_ended';
  expect([offer?.status, offer?.reason, status]).toEqual(['withdrawn', reason, end.status]);
  expect(user_id).toBe(end.status === 'queued' ? null : from.id);
  expect(await partEndsOf(call)).toEqual([[from.id, end.part]]);
  await untilState(test, agent.id, 'available');
  return 'ended';
}

/** Checks that no agent has two open calls. */
async function expectOneCallEach(): Promise<void> {
  const { rows } = await test.db.query(
    `SELECT user_id, count(*) FROM calls WHERE tenant_id = $1 AND status IN ('assigned', 'active')
     GROUP BY 1 HAVING count(*) > 1`,
    [tenant.id],
  );
  expect(rows).toEqual([]);
}

/**
 * An agent accepts a call while the agent who gave it away is being offered another one.
 * @returns that offer, and whether it was made at once, because the acceptance was first
 */
async function handOver(
  round: number,
  accepted: OfferedCall,
  { call_id, from, to }: { call_id: string; from: Member; to: RaceLine },
): Promise<{ call: OfferedCall; isFirst: boolean }> {
  const [answer, requested] = await race(
    round,
    () => accept(accepted),
    () => requestTransfer(from, call_id, { user_id: to.agent.id }),
  );
  expectStatus(answer, 200);
  await expectOneCallEach();
  const isFirst = requested.status === 200;
  if (!isFirst) expect([requested.status, requested.body.errors.code]).toEqual([422, 'agent_not_available']);
  const { offer } = isFirst ? requested.body.data : await transfer(from, call_id, { user_id: to.agent.id });
  return { call: { call_id, offer_id: offer.id, agent: to.agent, websocket_token: '' }, isFirst };
}

const COMPLETED = { status: 'completed', part: 'completed' };
const BOTH = ['accepted', 'ended'];

describe('an acceptance of a transfer at the same time as', () => {
  it('the customer hanging up happens before it or not at all', async () => {
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const call = await transferred(line);
      const customer = await TestSocket.connect(test.url, call.websocket_token);
      const [answer, ack] = await race(
        round,
        () => accept(call),
        () => customer.send('end_call'),
      );
      expect(ack).toMatchObject({ ok: true });
      customer.close();
      return outcomeOf(call, answer, { ...COMPLETED, isSecond: true });
    });
    expectOutcomes(outcomes, BOTH);
  });

  it('the completion by a supervisor happens before it or not at all', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await transferred(line);
      const [answer, completed] = await race(
        round,
        () => accept(call),
        () => complete(supervisor, call),
      );
      expectStatus(completed, 200);
      return outcomeOf(call, answer, { ...COMPLETED, isSecond: true });
    });
    expectOutcomes(outcomes, BOTH);
  });

  it('the completion by the agent who transfers the call has one winner', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await transferred(line);
      const [answer, completed] = await race(
        round,
        () => accept(call),
        () => complete(call.from, call),
      );
      expect([answer.status, completed.status].toSorted()).toEqual([200, 422]);
      return outcomeOf(call, answer, { ...COMPLETED, isSecond: false });
    });
    expectOutcomes(outcomes, BOTH);
  });

  it('a transfer to a department by the same agent has one winner', async () => {
    const target = await tenant.department({ max_queue_size: 1000 });
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await transferred(line);
      const [answer, moved] = await race(
        round,
        () => accept(call),
        () => requestTransfer(call.from, call.call_id, { department_id: target.id }),
      );
      expect([answer.status, moved.status].toSorted()).toEqual([200, 422]);
      const outcome = await outcomeOf(call, answer, {
        status: 'queued',
        part: 'transferred',
        isSecond: false,
      });
      expectStatus(await complete(supervisor, call), 200);
      return outcome;
    });
    expectOutcomes(outcomes, BOTH);
  });

  it('the end of a grace period happens before it or not at all', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await transferred(line);
      const deadline = new Date(Number(test.clock.now()) + 3 * (round % 10));
      await test.db.query('UPDATE calls SET customer_grace_deadline = $2 WHERE id = $1', [
        call.call_id,
        deadline,
      ]);
      const [answer] = await race(
        round,
        () => accept(call),
        () => sweep(test),
      );
      await until(() => test.clock.now() >= deadline);
      await sweep(test);
      return outcomeOf(call, answer, { status: 'completed', part: 'disconnect', isSecond: true });
    });
    expectOutcomes(outcomes, BOTH);
  });
});

describe('an acceptance of a transfer at the same time as the deactivation of an agent', () => {
  it.each(['who accepts', 'who transfers'])('%s leaves the call with one of them', async (who) => {
    for (let round = 0; round < SLOW_ROUNDS; round++) {
      const line = await RaceLine.open(test, tenant, { routing: 'manual' });
      const call = await transferred(line, await tenant.member());
      const { id } = who === 'who accepts' ? call.agent : call.from;
      const [answer, deactivated] = await race(
        round,
        () => accept(call),
        () => tenant.owner.api.put(`/api/v1/users/${id}`, { user: { active: false } }),
      );
      expectStatus(deactivated, 200);
      await untilEnded(test, call);
      const [offer] = await offersOf(test, call.call_id);
      const isAccepted = offer?.status === 'accepted';
      // The session of an agent who was deactivated ends, possibly before the answer.
      if (answer.status === 200 || who === 'who transfers')
        expect([answer.status, isAccepted]).toEqual([200, true]);
      const { status, user_id } = await callRow(test, call.call_id);
      expect([status, user_id]).toEqual(['active', isAccepted ? call.agent.id : call.from.id]);
      expect(await partEndsOf(call)).toEqual(
        isAccepted
          ? [
              [call.from.id, 'transferred'],
              [call.agent.id, null],
            ]
          : [[call.from.id, null]],
      );
      expectStatus(await complete(supervisor, call), 200);
      line.close();
    }
  });
});

describe('agents who transfer their calls to each other', () => {
  it('at the same time never have two, and swap them with the help of a third one', async () => {
    const queue = await tenant.queue({ max_queue_size: 1000 });
    const link = queue.link as { token: string };
    const team = await Promise.all(oneTo(3).map(() => RaceLine.join(test, tenant, queue)));
    const [ana, ben, cleo] = team as [RaceLine, RaceLine, RaceLine];
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < SLOW_ROUNDS; round++) {
      const [x, y] = [await activeCall(tenant, link, ana.agent), await activeCall(tenant, link, ben.agent)];
      const refused = await race(
        round,
        () => requestTransfer(ana.agent, x.call_id, { user_id: ben.agent.id }),
        () => requestTransfer(ben.agent, y.call_id, { user_id: ana.agent.id }),
      );
      for (const { status, body } of refused) {
        expect([status, body.errors.code]).toEqual([422, 'agent_not_available']);
      }
      const { offer } = await transfer(ana.agent, x.call_id, { user_id: cleo.agent.id });
      let offered: OfferedCall = { ...(x as OfferedCall), offer_id: offer.id, agent: cleo.agent };
      for (const next of [
        { call_id: y.call_id, from: ben.agent, to: ana },
        { call_id: x.call_id, from: cleo.agent, to: ben },
        { call_id: y.call_id, from: ana.agent, to: cleo },
      ]) {
        const { call, isFirst } = await handOver(round, offered, next);
        const outcome = isFirst ? 'accepted before' : 'accepted after';
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        offered = call;
      }
      const [answer, completed] = await race(
        round,
        () => accept(offered),
        () => complete(ben.agent, x as OfferedCall),
      );
      expectStatus(answer, 200);
      expectStatus(completed, 200);
      expect((await partsOf(test, x.call_id)).map(({ user_id }) => user_id)).toEqual(
        [ana, cleo, ben].map(({ agent }) => agent.id),
      );
      expect((await partsOf(test, y.call_id)).map(({ user_id }) => user_id)).toEqual(
        [ben, ana, cleo].map(({ agent }) => agent.id),
      );
      for (const line of team) await line.reset();
    }
    expectOutcomes(outcomes, ['accepted before', 'accepted after']);
    for (const line of team) line.close();
  });
});
