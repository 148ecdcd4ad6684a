import { PLANS } from '../../src/plans/plan-catalogue';
import { expectStatus, TestTenant } from '../support/builders';
import { accept, type OfferedCall, outcomeOf, RaceLine } from '../support/contexts/offer-races';
import { automaticQueue, untilState } from '../support/contexts/offers';
import { expectRoutingConsistent, subscribeToRouting } from '../support/contexts/routing-consistency';
import { expectNoRetries } from '../support/database/lock-order';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { hasAllRounds, raceRounds } from '../support/race-rounds';
import { startTestApp, type TestApp, withConnectionPool } from '../support/test-app';
import { until } from '../support/until';

const ROUNDS = raceRounds(200, 3, 6);
const LIMIT = PLANS.basic.limits.max_concurrent_calls ?? 0;

let test: TestApp;
let tenant: TestTenant;
let receiver: WebhookReceiver;
let link: { token: string };
let team: RaceLine[];

/** A company whose plan allows fewer calls at the same time than it has agents. */
beforeAll(async () => {
  test = withConnectionPool(await startTestApp());
  tenant = await TestTenant.register(test, 'basic');
  receiver = await WebhookReceiver.start();
  await subscribeToRouting(tenant, receiver.url);
  const queue = await automaticQueue(tenant, { max_queue_size: 1000 });
  link = queue.link as { token: string };
  team = [];
  for (const _ of oneTo(LIMIT + 2)) team.push(await RaceLine.join(test, tenant, queue));
});

afterEach(() => expectRoutingConsistent(test, tenant));

afterAll(async () => {
  for (const line of team) line.close();
  await receiver.stop();
  await test.close();
});

expectNoRetries(() => [test]);

const start = ({ call_id }: Json) => tenant.owner.api.post(`/api/v1/calls/${call_id}/start`);
const join = () => tenant.join(link);

/** The active calls and the pending offers of the company. */
async function used(): Promise<{ active: number; pending: OfferedCall[] }> {
  const { rows: active } = await test.db.query(
    `SELECT FROM calls WHERE tenant_id = $1 AND status = 'active'`,
    [tenant.id],
  );
  const { rows } = await test.db.query(`SELECT * FROM offers WHERE tenant_id = $1 AND status = 'pending'`, [
    tenant.id,
  ]);
  const pending = rows.flatMap(({ id, call_id, user_id }: Json) =>
    team
      .filter(({ agent }) => agent.id === user_id)
      .map(({ agent }) => ({ call_id, offer_id: id as string, websocket_token: '', agent })),
  );
  return { active: active.length, pending };
}

/** Waits until the plan is used up by active calls and pending offers. @returns the offers */
async function untilUsedUp(): Promise<OfferedCall[]> {
  const { pending } = await until(
    async () => {
      const now = await used();
      return now.active + now.pending.length >= LIMIT && now;
    },
    () => 'the plan allows calls that are not offered',
  );
  return pending;
}

describe('calls that are offered by many transactions at once', () => {
  it('are never more than the plan allows, and the next one is offered when one has ended', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(team.map((line) => line.choose('paused')));
      const waiting = await Promise.all([join(), join()]);
      const [joined] = await Promise.all([
        Promise.all(team.slice(2).map(join)),
        ...team.map((line) => line.choose('available')),
      ]);
      const offered = await untilUsedUp();
      // Offers begin and end only by what this test does, so one too many would still be there.
      expect(offered).toHaveLength(LIMIT);
      const [first] = offered;
      expectStatus(await accept(first), 200);
      const { active, pending } = await used();
      expect([active, pending.length]).toEqual([1, LIMIT - 1]);
      await tenant.owner.api.post(`/api/v1/calls/${first?.call_id}/complete`);
      expect((await untilUsedUp()).length).toBe(LIMIT);
      await end([...waiting, ...joined]);
    }
  });
});

describe('acceptances when a manual start uses up the plan', () => {
  it('start as many calls as the plan allows, and withdraw the other offers without a pause', async () => {
    const outcomes = { accepted: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const calls = await Promise.all(team.map(join));
      const offered = await untilUsedUp();
      const others = calls.filter(({ call_id }) => offered.every((offer) => offer.call_id !== call_id));
      const idle = await Promise.all(offered.map(({ agent }) => untilState(test, agent.id, 'offered')));
      const [answers, started] = await Promise.all([
        Promise.all(offered.map(accept)),
        Promise.all(others.map(start)),
      ]);
      const active = [...answers, ...started].filter(({ status }) => status === 200);
      expect(active).toHaveLength(LIMIT);
      for (const [index, answer] of answers.entries()) {
        const offer = offered[index];
        if (answer.status === 200) {
          outcomes.accepted++;
          expect(await outcomeOf(test, offer, answer)).toBe('accepted');
        } else {
          outcomes.refused++;
          expect([answer.status, answer.body.errors.code]).toEqual([403, 'plan_limit']);
          const { rows } = await test.db.query('SELECT status, reason FROM offers WHERE id = $1', [
            offer.offer_id,
          ]);
          expect(rows).toEqual([{ status: 'withdrawn', reason: 'plan_limit' }]);
          const { state, idle_since } = await untilState(test, offer.agent.id, 'available');
          expect([state, idle_since]).toEqual(['available', idle[index]?.idle_since]);
        }
      }
      for (const { status, body } of started) {
        if (status !== 200) expect([status, body.errors.code]).toEqual([403, 'plan_limit']);
      }
      await end(calls);
    }
    // Otherwise the limit was never reached between an offer and its acceptance.
    if (hasAllRounds()) for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0);
  });
});

/** Ends the calls, and makes all agents available. */
async function end(calls: Json[]): Promise<void> {
  await Promise.all(team.map((line) => line.choose('paused')));
  await Promise.all(calls.map(({ call_id }) => tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`)));
  await Promise.all(team.map((line) => line.reset()));
}
