import fc from 'fast-check';
import { AGENT_STATES } from '../../../src/routing/agents/agent-state.rules';
import type { Rank, SelectableAgent, SelectableCall } from '../../../src/routing/offers/selection.rules';

export type WaitingCall = SelectableCall & Rank;

/** An agent of two departments, of the first one, of the second one, or of neither. `is_member` is that of the first one. */
export interface LineAgent extends SelectableAgent {
  departments: readonly number[];
}

/** A call that waits in the first or the second department. */
export interface LineCall extends WaitingCall {
  department: number;
}

/** Agents and the waiting calls of two departments. The tests of rules take all calls for those of the first one. */
export interface Line {
  agents: LineAgent[];
  calls: LineCall[];
}

/** The agent as a candidate for the call. */
export const candidateFor = (agent: LineAgent, { department }: LineCall): LineAgent => ({
  ...agent,
  is_member: agent.departments.includes(department),
});

const T0 = Date.parse('2026-01-31T12:00:00.000Z');

/** Few different times, so that many agents and calls are equal by them. */
const moment = fc.integer({ min: 0, max: 5 }).map((minute) => new Date(T0 + minute * 60_000));
/** One in four, since a candidate who fails by one condition says nothing about the others. */
const seldom = fc.constantFrom(true, false, false, false);

/**
 * Generates agents, a subset of these users, and calls in two departments that need some of these skills, some of them kept
 * for an agent.
 */
export function arbitraryLines(userIds: readonly string[], skillIds: readonly string[]): fc.Arbitrary<Line> {
  const agents = fc
    .subarray([...userIds])
    .chain((ids) => fc.tuple(...ids.map((user_id) => arbitraryAgent(user_id, skillIds))));
  return agents.chain((known) =>
    fc.record({
      agents: fc.constant(known),
      calls: fc
        .array(arbitraryCall(known, skillIds), { maxLength: 6 })
        .map((calls) => calls.map((call, index) => ({ ...call, queue_number: index + 1 }))),
    }),
  );
}

function arbitraryAgent(user_id: string, skillIds: readonly string[]): fc.Arbitrary<LineAgent> {
  const known = fc.record({
    user_id: fc.constant(user_id),
    active: seldom.map((isInactive) => !isInactive),
    departments: fc.constantFrom<number[]>([0, 1], [0, 1], [0], [1], []),
    state: fc.constantFrom(...AGENT_STATES, 'available', 'available', 'available'),
    skills: fc
      .uniqueArray(fc.tuple(fc.constantFrom(...skillIds), fc.integer({ min: 1, max: 5 })), {
        selector: ([id]) => id,
      })
      .map((levels) => new Map(levels)),
    is_excluded: seldom,
    idle_since: moment,
    calls_today: fc.integer({ min: 0, max: 2 }),
  });
  return known.map((agent) => ({ ...agent, is_member: agent.departments.includes(0) }));
}

function arbitraryCall(
  agents: readonly SelectableAgent[],
  skillIds: readonly string[],
): fc.Arbitrary<Omit<LineCall, 'queue_number'>> {
  const required = fc.uniqueArray(
    fc.record({ skill_id: fc.constantFrom(...skillIds), min_level: fc.integer({ min: 1, max: 5 }) }),
    { selector: ({ skill_id }) => skill_id, maxLength: 2 },
  );
  return fc
    .record({
      required,
      isRelaxed: fc.boolean(),
      reserved_for: fc.constantFrom(null, null, ...agents.map(({ user_id, state }) => ({ user_id, state }))),
      priority_since: fc.option(moment, { freq: 3 }),
      rank_at: moment,
      department: fc.integer({ min: 0, max: 1 }),
    })
    .map(({ required: skills, isRelaxed, ...call }) => ({
      ...call,
      skills: isRelaxed ? [] : skills,
      required_skill_ids: skills.map(({ skill_id }) => skill_id),
    }));
}
