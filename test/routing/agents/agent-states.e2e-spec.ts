import fc from 'fast-check';
import { Database } from '../../../src/platform/database/database';
import type { Transaction } from '../../../src/platform/database/transaction';
import {
  AGENT_STATES,
  type AgentFacts,
  type AgentState,
  agentStateOf,
  type AnnouncedAgent,
  idleSinceAfter,
  MAX_INTERRUPTION_MS,
  presenceOf,
} from '../../../src/routing/agents/agent-state.rules';
import { AgentStates } from '../../../src/routing/agents/agent-states';
import { expectStatus, type Member, TestTenant } from '../../support/builders';
import type { Json } from '../../support/http/api';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const secondsLater = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const earlierBy = (ms: number) => new Date(NOW.getTime() - ms);

let test: TestApp;
let tenant: TestTenant;
/** The agents by the status of their only call. */
let agents: Map<AgentFacts['call'], Member>;
let waitingCall: string;
let departmentId: string;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  const { department, link } = await tenant.queue();
  departmentId = department.id;
  agents = new Map();
  for (const call of [null, 'assigned', 'active'] as const) {
    const agent = await tenant.member();
    agents.set(call, agent);
    if (call === null) continue;
    const { call_id } = await tenant.join(link);
    const action = call === 'assigned' ? 'assign' : 'start';
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/${action}`), 200);
  }
  waitingCall = (await tenant.join(link)).call_id;
});

afterAll(() => test.close());

/** What ends a transaction that must change nothing. */
class RolledBack extends Error {}

async function rolledBack(work: (tx: Transaction) => Promise<void>): Promise<void> {
  try {
    await test.get(Database).system(async (tx) => {
      await work(tx);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}

/** Makes the facts true of the agent with such a call. @returns the id of the agent */
async function establish(tx: Transaction, facts: AgentFacts): Promise<string> {
  const id = agents.get(facts.call)?.id ?? '';
  if (facts.has_socket) {
    await tx.query(
      `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id)
       SELECT $1, id, 'a socket', $2 FROM instances ORDER BY id LIMIT 1`,
      [tenant.id, id],
    );
  }
  if (facts.has_pending_offer) {
    await tx.query(
      `INSERT INTO offers (tenant_id, call_id, user_id, kind, status, offered_at, expires_at)
       VALUES ($1, $2, $3, 'line', 'pending', $4, $4)`,
      [tenant.id, waitingCall, id, NOW],
    );
  }
  const startedAt = facts.wrap_up_until && NOW;
  await tx.query(
    'UPDATE presences SET chosen = $2, wrap_up_until = $3, wrap_up_started_at = $4 WHERE user_id = $1',
    [id, facts.chosen, facts.wrap_up_until, startedAt],
  );
  return id;
}

const anyFacts: fc.Arbitrary<AgentFacts> = fc.record({
  call: fc.constantFrom(null, 'assigned', 'active'),
  has_socket: fc.boolean(),
  has_pending_offer: fc.boolean(),
  wrap_up_until: fc.constantFrom(null, secondsLater(60)),
  chosen: fc.constantFrom('online', 'away'),
});

/** Facts that make an agent have the state. */
const FACTS: Record<AgentState, Partial<AgentFacts>> = {
  on_call: { call: 'assigned' },
  offline: { has_socket: false },
  offered: { has_pending_offer: true },
  wrap_up: { wrap_up_until: secondsLater(60) },
  paused: { chosen: 'away' },
  available: {},
};

const factsOf = (state: AgentState): AgentFacts => ({
  call: null,
  has_socket: true,
  has_pending_offer: false,
  wrap_up_until: null,
  chosen: 'online',
  ...FACTS[state],
});

/** Compares the view with the rules. */
const compareView = (facts: AgentFacts) =>
  rolledBack(async (tx) => {
    const id = await establish(tx, facts);
    await tx.query(`UPDATE presences SET reason = 'Lunch' WHERE user_id = $1`, [id]);
    const shown = await tx.one<Json>('SELECT state, presence, reason FROM agent_states WHERE user_id = $1', [
      id,
    ]);
    const state = agentStateOf(facts);
    const reason = state === 'paused' ? 'Lunch' : null;
    expect(shown).toEqual({ state, presence: presenceOf(facts), reason });
  });

/** Compares what is written when calls of the agent begin or end, and perhaps a wrap-up with that, with the rules. */
const compareWork = (facts: AgentFacts, hasEnded: boolean) =>
  rolledBack(async (tx) => {
    const id = await establish(tx, facts);
    await tx.query(
      `UPDATE presences SET reason = 'Lunch', state = 'available', announced = 'away' WHERE user_id = $1`,
      [id],
    );
    const ended = hasEnded ? [departmentId] : [];
    await tx.query('UPDATE departments SET wrap_up_time = 90 WHERE id = ANY ($1)', [ended]);
    const work = { user_id: id, takes_call: false, started_calls: 0, ended_call_ids: [] };
    await test.get(AgentStates).announceWork(tx, tenant.id, [{ ...work, ended_department_ids: ended }], NOW);
    const row = await tx.one(
      'SELECT state, announced, state_reason, wrap_up_until FROM presences WHERE user_id = $1',
      [id],
    );
    const wrap_up_until = hasEnded ? secondsLater(90) : facts.wrap_up_until;
    const after = { ...facts, wrap_up_until };
    const state = agentStateOf(after);
    const state_reason = state === 'paused' ? 'Lunch' : null;
    expect(row).toEqual({ state, announced: presenceOf(after), state_reason, wrap_up_until });
  });

/** Compares what is written when the state changes with the rule. */
const compareIdleSince = (agent: AnnouncedAgent, next: AgentState) =>
  rolledBack(async (tx) => {
    const id = await establish(tx, factsOf(next));
    await tx.query(
      `UPDATE presences SET state = $2, state_since = $3, idle_since = $4, announced = 'offline' WHERE user_id = $1`,
      [id, agent.state, agent.since, agent.idle_since],
    );
    const [event] = await test.get(AgentStates).announce(tx, tenant.id, [id], NOW);
    const row = await tx.one<Json>('SELECT state, idle_since FROM presences WHERE user_id = $1', [id]);
    expect(row).toEqual({ state: next, idle_since: idleSinceAfter(agent, next, NOW) });
    expect(event).toMatchObject({
      state: next,
      previous_state: agent.state,
      since: NOW.toISOString(),
      idle_since: row?.idle_since?.toISOString() ?? null,
    });
  });

describe('the view of the states', () => {
  it('shows the state and the presence that the rules compute', async () => {
    await fc.assert(fc.asyncProperty(anyFacts, compareView), { numRuns: 100 });
  });
});

describe('announcing the work of an agent', () => {
  it('writes the state, the presence and the wrap-up that the rules compute', async () => {
    const work = fc.asyncProperty(anyFacts, fc.boolean(), compareWork);
    await fc.assert(work, { numRuns: 100 });
  });
});

describe('announcing a state', () => {
  const anyAgent: fc.Arbitrary<AnnouncedAgent> = fc.record({
    state: fc.constantFrom(...AGENT_STATES),
    since: fc.constantFrom(0, 1, MAX_INTERRUPTION_MS - 1, MAX_INTERRUPTION_MS, 100_000).map(earlierBy),
    idle_since: fc.option(fc.constantFrom(100_000, 200_000).map(earlierBy)),
  });

  it('writes the idle_since that the rule computes', async () => {
    const anyChange = fc
      .tuple(anyAgent, fc.constantFrom(...AGENT_STATES))
      .filter(([agent, next]) => agent.state !== next);
    await fc.assert(
      fc.asyncProperty(anyChange, ([agent, next]) => compareIdleSince(agent, next)),
      { numRuns: 200 },
    );
  });

  it('does nothing for an agent whose state has been announced, and for no agents', () =>
    rolledBack(async (tx) => {
      const states = test.get(AgentStates);
      const id = await establish(tx, factsOf('paused'));
      expect(await states.announce(tx, tenant.id, [id])).toHaveLength(1);
      expect(await states.announce(tx, tenant.id, [id])).toEqual([]);
      expect(await states.announce(tx, tenant.id, [])).toEqual([]);
    }));

  it('keeps the times in order when the clocks of instances differ', () =>
    rolledBack(async (tx) => {
      const states = test.get(AgentStates);
      const id = await establish(tx, factsOf('paused'));
      await states.announce(tx, tenant.id, [id], secondsLater(5));
      await establishAvailable(tx, id);
      const [event] = await states.announce(tx, tenant.id, [id], NOW);
      expect(event?.since).toBe(secondsLater(5).toISOString());
    }));
});

const establishAvailable = (tx: Transaction, id: string) =>
  tx.query(`UPDATE presences SET chosen = 'online' WHERE user_id = $1`, [id]);
