import { WrapUpSweeper } from '../../../src/routing/agents/wrap-up-sweeper';
import { expectStatus, type Member, TestTenant } from '../../support/builders';
import {
  agentOf,
  agentRow,
  beginWrapUp,
  expectAnnounced,
  stateEventsOf,
} from '../../support/contexts/agents';
import { expectNoRetries } from '../../support/database/lock-order';
import { callRow } from '../../support/database/rows';
import type { Json } from '../../support/http/api';
import { raceRounds } from '../../support/race-rounds';
import { sharedTestApp } from '../../support/shared-app';
import { closingSockets } from '../../support/sockets/connect-sockets';
import type { TestSocket } from '../../support/sockets/socket';
import { type TestApp, withConnectionPool } from '../../support/test-app';
import { until } from '../../support/until';

const ROUNDS = raceRounds(300);
/** Rounds with new sockets, each of which takes a tenth of a second. */
const SOCKET_ROUNDS = raceRounds(100);

let test: TestApp;
let tenant: TestTenant;
let supervisor: Member;
let agent: Member;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = withConnectionPool(await sharedTestApp());
  tenant = await TestTenant.register(test);
  supervisor = await tenant.member('supervisor');
  ({ link } = await tenant.queue({ max_queue_size: 1000, wrap_up_time: 60 }));
});

beforeEach(async () => {
  agent = await tenant.member();
});

afterEach(async () => {
  await expectAnnounced(test, tenant.id);
  await expectChain();
});

afterAll(() => test.close());

expectNoRetries(() => [test]);

const post = (path: string, body?: Json, as = agent) => as.api.post(`/api/v1/${path}`, body);
const choose = (as: Member, state: string) => as.api.put(`/api/v1/users/${agent.id}/state`, { state });
const tab = () => connect(agent.token);

/** Closes the tabs, and waits until none is left of the agent. */
async function closeLast(...sockets: TestSocket[]): Promise<void> {
  for (const socket of sockets) socket.close();
  await until(async () => {
    const { rowCount } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [agent.id]);
    return rowCount === 0;
  });
}

/** Each event of the agent's states continues from the one before, so none is lost or doubled. */
async function expectChain(): Promise<void> {
  let before: Json = { state: 'offline', presence: 'offline', reason: null };
  for (const event of await stateEventsOf(test, agent.id)) {
    expect([event.previous_state, event.previous_presence]).toEqual([before.state, before.presence]);
    const { state, presence, reason } = before;
    expect(event).not.toMatchObject({ state, presence, reason });
    before = event;
  }
}

/** Runs an action of the agent's call while two tabs connect. @returns the call afterwards */
async function race(callId: string, round: number, action: string): Promise<Json> {
  const acting = async () => {
    // Connecting takes some statements before it locks the agent.
    for (let count = 0; count < round % 10; count++) await test.db.query('SELECT');
    expectStatus(await post(`calls/${callId}/${action}`), 200);
  };
  const [one, other] = await Promise.all([tab(), tab(), acting()]);
  const row = await callRow(test, callId);
  await expectAnnounced(test, tenant.id);
  if (action === 'start') one.close();
  await Promise.all([action === 'start' && post(`calls/${callId}/complete`), closeLast(one, other)]);
  return row;
}

describe('the end of a wrap-up', () => {
  it('happens once when its time passes while the agent finishes, extends or pauses it', async () => {
    await tab();
    for (let round = 0; round < ROUNDS; round++) {
      expectStatus(await choose(agent, 'available'), 200);
      await beginWrapUp(test, agent.id, 0.001 * (round % 10));
      const [finished, extended, paused] = await Promise.all([
        round % 3 === 0 ? post('users/me/wrap-up/finish') : undefined,
        post('users/me/wrap-up/extend', { seconds: 1 }),
        choose(agent, 'paused'),
        test.get(WrapUpSweeper).sweep(),
      ]);
      expect([200, undefined]).toContain(finished?.status);
      expect([200, 422]).toContain(extended.status);
      expectStatus(paused, 200);
      expectStatus(await post('users/me/wrap-up/finish'), 200);
      expect(await agentOf(tenant, agent.id)).toMatchObject({ state: 'paused', wrap_up_until: null });
    }
  });
});

describe('the choice of a state', () => {
  it('is the last one when the agent and a supervisor choose at once', async () => {
    await tab();
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([
        choose(agent, 'paused'),
        choose(supervisor, 'available'),
        choose(agent, 'paused'),
      ]);
      for (const answer of answers) expectStatus(answer, 200);
      const { chosen, state } = await agentRow(test, agent.id);
      expect(state).toBe(chosen === 'away' ? 'paused' : 'available');
      await expectAnnounced(test, tenant.id);
    }
  });
});

describe('an agent with several tabs', () => {
  it('is offline when all of them have been closed, and not before', async () => {
    for (let round = 0; round < SOCKET_ROUNDS; round++) {
      const first = await tab();
      const opening = [tab(), tab(), choose(agent, 'paused')] as const;
      first.close();
      const [second, third] = await Promise.all(opening);
      expect((await agentOf(tenant, agent.id)).state).toBe('paused');
      second.close();
      expectStatus(await choose(agent, 'available'), 200);
      await closeLast(third);
      expect((await agentOf(tenant, agent.id)).state).toBe('offline');
    }
  });
});

describe('an agent who connects while their call', () => {
  it('starts is connected to it, without a deadlock', async () => {
    for (let round = 0; round < SOCKET_ROUNDS; round++) {
      const { call_id } = await tenant.join(link);
      expectStatus(await post(`calls/${call_id}/assign`), 200);
      expect((await race(call_id, round, 'start')).agent_connected_at).not.toBeNull();
    }
  });

  it('ends begins the wrap-up, without a deadlock', async () => {
    for (let round = 0; round < SOCKET_ROUNDS; round++) {
      const { call_id } = await tenant.join(link);
      expectStatus(await post(`calls/${call_id}/start`), 200);
      expect((await race(call_id, round, 'complete')).status).toBe('completed');
      expect((await agentOf(tenant, agent.id)).wrap_up_until).not.toBeNull();
    }
  });
});

describe('a hand-over', () => {
  it('shows both agents as they are while the first one starts the call', async () => {
    const colleague = await tenant.member();
    for (let round = 0; round < ROUNDS; round++) {
      const { call_id } = await tenant.join(link);
      expectStatus(await post(`calls/${call_id}/assign`), 200);
      const [handedOver] = await Promise.all([
        post(`calls/${call_id}/assign`, { user_id: colleague.id }, supervisor),
        post(`calls/${call_id}/start`),
      ]);
      expect([200, 422]).toContain(handedOver.status);
      await expectAnnounced(test, tenant.id);
      const { user_id } = await callRow(test, call_id);
      const shown = await Promise.all([agent, colleague].map(({ id }) => agentOf(tenant, id)));
      expect(shown.filter((one) => one.call_id === call_id).map((one) => one.user_id)).toEqual([user_id]);
      expectStatus(await post(`calls/${call_id}/complete`, undefined, supervisor), 200);
    }
  });
});
