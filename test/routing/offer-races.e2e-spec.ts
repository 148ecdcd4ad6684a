import { CallSweeper } from '../../src/calls/machine/call-sweeper';
import { OfferSweeper } from '../../src/routing/offers/offer-sweeper';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { createCustomer } from '../support/contexts/appointments';
import {
  accept,
  expectOutcomes,
  type OfferedCall,
  outcomeOf,
  playRounds,
  race,
  RaceLine,
  raceLines,
  untilEnded,
} from '../support/contexts/offer-races';
import { untilState } from '../support/contexts/offers';
import { expectRoutingConsistent, subscribeToRouting } from '../support/contexts/routing-consistency';
import { expectNoRetries } from '../support/database/lock-order';
import { callRow } from '../support/database/rows';
import type { Answer, Json } from '../support/http/api';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import { TestSocket } from '../support/sockets/socket';
import { type TestApp, withConnectionPool } from '../support/test-app';
import { until } from '../support/until';

const ROUNDS = raceRounds(200, 3, 10);
/** Rounds that need new sockets, agents or departments, and of races that are decided as others are. */
const SLOW_ROUNDS = raceRounds(50, 3, 5);

let test: TestApp;
let tenant: TestTenant;
let colleague: Member;
let receiver: WebhookReceiver;
let lines: RaceLine[];
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = withConnectionPool(await sharedTestApp());
  tenant = await TestTenant.register(test);
  receiver = await WebhookReceiver.start();
  await subscribeToRouting(tenant, receiver.url);
  colleague = await tenant.member('supervisor');
  lines = await raceLines(test, tenant, ROUNDS);
});

afterEach(async () => {
  test.clock.reset();
  await expectRoutingConsistent(test, tenant);
});

afterAll(async () => {
  for (const line of lines) line.close();
  await receiver.stop();
  await test.close();
});

expectNoRetries(() => [test]);

const staff = ({ api }: Member, { call_id }: OfferedCall, action: string, body?: Json) =>
  api.post(`/api/v1/calls/${call_id}/${action}`, body);
const cancel = ({ call_id, websocket_token }: OfferedCall) =>
  test.api.as(websocket_token).post(`/api/v1/call/cancel/${call_id}`);
const decline = ({ agent, offer_id }: OfferedCall) => agent.api.post(`/api/v1/offers/${offer_id}/decline`);

/** Lets a time of the offer pass within some milliseconds. */
async function setSoon(round: number, column: string, table: string, id: string): Promise<void> {
  await test.db.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [
    id,
    new Date(Number(test.clock.now()) + 3 * (round % 10)),
  ]);
}

/** Checks that the agent is paused exactly if they missed the offer. */
async function expectPause(call: OfferedCall, outcome: string): Promise<void> {
  const state = outcome === 'expired' ? 'paused' : 'on_call';
  const { state_reason } = await untilState(test, call.agent.id, state);
  expect(state_reason).toBe(outcome === 'expired' ? 'missed_offer' : null);
}

describe('an acceptance at the same time as', () => {
  it('the expiry happens, or the agent is paused', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await line.offered();
      await setSoon(round, 'expires_at', 'offers', call.offer_id);
      const [answer] = await race(
        round,
        () => accept(call),
        () => test.get(OfferSweeper).sweep(),
      );
      await untilEnded(test, call);
      const outcome = await outcomeOf(test, call, answer);
      await expectPause(call, outcome);
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'expired']);
  });

  it.each([
    [-1, 'expired'],
    [0, 'expired'],
    [1, 'accepted'],
  ])('the sweep, when %i ms are left, is decided by the clock', async (left, expected) => {
    test.clock.stop();
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const call = await line.offered();
      await test.db.query('UPDATE offers SET expires_at = $2 WHERE id = $1', [
        call.offer_id,
        new Date(Number(test.clock.now()) + left),
      ]);
      const [answer] = await race(
        round,
        () => accept(call),
        () => test.get(OfferSweeper).sweep(),
      );
      await untilEnded(test, call);
      const outcome = await outcomeOf(test, call, answer);
      await expectPause(call, outcome);
      return outcome;
    });
    expect(Object.keys(outcomes)).toEqual([expected]);
  });

  it('the customer leaving happens, or the offer is withdrawn', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await line.offered();
      const [answer, cancelled] = await race(
        round,
        () => accept(call),
        () => cancel(call),
      );
      const outcome = await outcomeOf(test, call, answer);
      expect(cancelled.status).toBe(outcome === 'accepted' ? 422 : 200);
      expect((await callRow(test, call.call_id)).status).toBe(
        outcome === 'accepted' ? 'active' : 'cancelled',
      );
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'withdrawn customer_left']);
  });

  it('the customer losing the connection happens, and the call has a grace period', async () => {
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const call = await line.offered();
      const socket = await connect(call.websocket_token);
      const [answer] = await race(
        round,
        () => accept(call),
        async () => socket.close(),
      );
      const outcome = await outcomeOf(test, call, answer);
      await until(async () => (await callRow(test, call.call_id)).customer_grace_deadline !== null);
      return outcome;
    });
    expect(outcomes).toEqual({ accepted: SLOW_ROUNDS });
  });

  it('the last socket of the agent closing happens, or the offer is withdrawn', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await line.offered();
      const [answer] = await race(
        round,
        () => accept(call),
        async () => line.agent.socket.close(),
      );
      const outcome = await outcomeOf(test, call, answer);
      const isAccepted = outcome === 'accepted';
      await untilState(test, line.agent.id, isAccepted ? 'on_call' : 'offline');
      // An active call without its agent has a time in which they can be back.
      if (isAccepted)
        await until(async () => (await callRow(test, call.call_id)).agent_grace_deadline !== null);
      line.agent.socket = await TestSocket.connect(test.url, line.agent.token);
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'withdrawn agent_offline']);
  });

  it('a pause of the agent happens, or the offer is withdrawn', async () => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await line.offered();
      const [answer, paused] = await race(
        round,
        () => accept(call),
        () => line.choose('paused'),
      );
      expectStatus(paused, 200);
      const outcome = await outcomeOf(test, call, answer);
      await untilState(test, line.agent.id, outcome === 'accepted' ? 'on_call' : 'paused');
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'withdrawn agent_paused']);
  });

  it('the end of the time that an absent customer has happens, or the offer is withdrawn', async () => {
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const call = await line.offered();
      await setSoon(round, 'customer_deadline', 'offers', call.offer_id);
      const [answer] = await race(
        round,
        () => accept(call),
        () => test.get(OfferSweeper).sweep(),
      );
      await untilEnded(test, call);
      return outcomeOf(test, call, answer);
    });
    expectOutcomes(outcomes, ['accepted', 'withdrawn customer_absent']);
  });

  it.each(['start', 'assign'])('the %s by a colleague has one winner', async (action) => {
    const outcomes = await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await line.offered();
      const [answer, taken] = await race(
        round,
        () => accept(call),
        () => staff(colleague, call, action),
      );
      const outcome = await outcomeOf(test, call, answer);
      expect(taken.status).toBe(outcome === 'accepted' ? 422 : 200);
      const owner = outcome === 'accepted' ? line.agent : colleague;
      expect((await callRow(test, call.call_id)).user_id).toBe(owner.id);
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'withdrawn call_taken']);
  });

  it('another call being given to the agent happens, or the offer is withdrawn', async () => {
    const manual = await tenant.queue({ max_queue_size: 1000 });
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const other = await tenant.join(manual.link);
      const call = await line.offered();
      const [answer, given] = await race(
        round,
        () => accept(call),
        () => colleague.api.post(`/api/v1/calls/${other.call_id}/assign`, { user_id: line.agent.id }),
      );
      expectStatus(given, 200);
      const outcome = await outcomeOf(test, call, answer);
      expect((await callRow(test, call.call_id)).status).toBe(outcome === 'accepted' ? 'active' : 'queued');
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'withdrawn agent_busy']);
  });

  it('the same in another tab happens once', async () => {
    await playRounds(lines, ROUNDS, async (line, round) => {
      const call = await line.offered();
      const answers = await race(
        round,
        () => accept(call),
        () => accept(call),
      );
      expect(answers.map(({ status }: Answer) => status).toSorted()).toEqual([200, 422]);
      const outcomes = await Promise.all(
        answers.filter(({ status }) => status === 200).map((answer) => outcomeOf(test, call, answer)),
      );
      expect(outcomes).toEqual(['accepted']);
      return 'accepted';
    });
  });

  it('declining in another tab has one winner', async () => {
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const call = await line.offered();
      const [answer, declined] = await race(
        round,
        () => accept(call),
        () => decline(call),
      );
      const outcome = await outcomeOf(test, call, answer);
      expect(declined.status).toBe(outcome === 'accepted' ? 422 : 200);
      await untilState(test, line.agent.id, outcome === 'accepted' ? 'on_call' : 'available');
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'declined']);
  });

  it.each([
    ['longest wait', 'wait_deadline', 'withdrawn call_ended'],
    ['longest absence', 'absence_deadline', 'withdrawn customer_left'],
  ])('the end of the %s happens, or the offer is withdrawn', async (_name, column, withdrawn) => {
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const call = await line.offered();
      await setSoon(round, column, 'calls', call.call_id);
      const [answer] = await race(
        round,
        () => accept(call),
        () => test.get(CallSweeper).sweep(),
      );
      await untilEnded(test, call);
      const outcome = await outcomeOf(test, call, answer);
      expect((await callRow(test, call.call_id)).status).toBe(
        outcome === 'accepted' ? 'active' : 'abandoned',
      );
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', withdrawn]);
  });

  it('the deletion of the department has one winner', async () => {
    const outcomes = await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const { department, link } = await tenant.queue({ routing: 'automatic' });
      const department_ids = [line.department.id, department.id];
      expectStatus(
        await tenant.owner.api.put(`/api/v1/users/${line.agent.id}`, { user: { department_ids } }),
        200,
      );
      const call = await line.offered(link);
      const [answer, deleted] = await race(
        round,
        () => accept(call),
        () => tenant.owner.api.delete(`/api/v1/departments/${department.id}`),
      );
      if (deleted.status === 204) await untilEnded(test, call);
      const outcome = await outcomeOf(test, call, answer);
      expect(deleted.status).toBe(outcome === 'accepted' ? 422 : 204);
      return outcome;
    });
    expectOutcomes(outcomes, ['accepted', 'withdrawn department_changed']);
  });

  it('a merge of the customer happens', async () => {
    await playRounds(lines, SLOW_ROUNDS, async (line, round) => {
      const [primary, duplicate] = [await createCustomer(tenant), await createCustomer(tenant)];
      const link = await tenant.link(line.department.id, { customer_id: duplicate.id });
      const call = await line.offered({ token: link.token });
      const [answer, merged] = await race(
        round,
        () => accept(call),
        () =>
          tenant.owner.api.post('/api/v1/customers/merge', {
            primary_id: primary.id,
            duplicate_ids: [duplicate.id],
          }),
      );
      expectStatus(merged, 200);
      expect((await callRow(test, call.call_id)).customer_id).toBe(primary.id);
      expect(await outcomeOf(test, call, answer)).toBe('accepted');
      return 'accepted';
    });
  });
});

describe('an acceptance at the same time as the deactivation of the agent', () => {
  it('happens, or the call is free again', async () => {
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < SLOW_ROUNDS; round++) {
      const line = await RaceLine.open(test, tenant);
      const call = await line.offered();
      const [answer, deactivated] = await race(
        round,
        () => accept(call),
        () => tenant.owner.api.put(`/api/v1/users/${line.agent.id}`, { user: { active: false } }),
      );
      expectStatus(deactivated, 200);
      await untilEnded(test, call);
      const { status, user_id } = await callRow(test, call.call_id);
      const isAccepted = answer.status === 200;
      expect([status, user_id]).toEqual(isAccepted ? ['active', line.agent.id] : ['queued', null]);
      const outcome = isAccepted ? 'accepted' : 'free again';
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call.call_id}/complete`), 200);
      line.close();
    }
    expectOutcomes(outcomes, ['accepted', 'free again']);
  });
});
