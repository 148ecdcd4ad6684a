import { type Candidate, ineligibilityOf, type LineCall } from './eligibility.rules';

/** How a department chooses among the agents who may get a call. */
export type AgentSelection = 'longest_idle' | 'most_skilled' | 'fewest_today';

export interface SelectableAgent extends Candidate {
  /** Since when the agent has been waiting for a call. */
  idle_since: Date | null;
  /** Calls that the agent started today, in the tenant's time zone. */
  calls_today: number;
}

export interface SelectableCall extends LineCall {
  /** The skills that the call was given when the customer joined, also after they were relaxed. */
  required_skill_ids: readonly string[];
}

/**
 * The agent who is offered the call: the best one by the department's selection, or the only one whom it is kept for. Among
 * equals the longest idle one is chosen, then the lowest id, so that two instances choose the same agent. The service does
 * this as SQL (select-agent.ts), which a test compares with this rule; nothing else uses it.
 * @returns undefined if none of them may be offered the call
 */
export function selectAgent<Agent extends SelectableAgent>(
  agents: readonly Agent[],
  call: SelectableCall,
  selection: AgentSelection,
): Agent | undefined {
  return agents
    .filter((agent) => ineligibilityOf(agent, call) === undefined)
    .map((agent) => ({ agent, key: keyOf(agent, call, selection) }))
    .toSorted((one, other) => compare(one.key, other.key) || byId(one.agent, other.agent))[0]?.agent;
}

function keyOf(agent: SelectableAgent, call: SelectableCall, selection: AgentSelection): number[] {
  return [SELECTION_KEYS[selection](agent, call), agent.idle_since?.getTime() ?? Infinity];
}

/** The lowest value is chosen. */
const SELECTION_KEYS: Record<AgentSelection, (agent: SelectableAgent, call: SelectableCall) => number> = {
  longest_idle: () => 0,
  most_skilled: ({ skills }, { required_skill_ids }) =>
    -required_skill_ids.reduce((sum, id) => sum + (skills.get(id) ?? 0), 0),
  fewest_today: ({ calls_today }) => calls_today,
};

/** The place of a call among those of all departments. */
export interface Rank {
  /** Since when an appointment has had priority; null without one, and before its time. */
  priority_since: Date | null;
  rank_at: Date;
  /** Ascending in the order of joins; unique. */
  queue_number: number;
}

/** Negative if the first call is before the other one: the order of the line, which Queue computes positions from. */
export function compareRanks(one: Rank, other: Rank): number {
  return compare(rankKey(one), rankKey(other));
}

const rankKey = ({ priority_since, rank_at, queue_number }: Rank): number[] => [
  priority_since?.getTime() ?? Infinity,
  rank_at.getTime(),
  queue_number,
];

/**
 * The call that an agent is offered: across the lines of their departments, the first one that they may get. A call that
 * they may not get delays none behind it. FindCall does this as SQL, which a test compares with this rule; nothing else
 * uses it.
 * @param choices waiting calls, each with the agent as its candidate
 */
export function selectCall<Call extends LineCall & Rank>(
  choices: readonly { call: Call; candidate: Candidate }[],
): Call | undefined {
  return choices
    .filter(({ call, candidate }) => ineligibilityOf(candidate, call) === undefined)
    .map(({ call }) => call)
    .toSorted(compareRanks)[0];
}

/** Compares by the first values that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const counterpart = other[index] ?? Infinity;
    if (value !== counterpart) return value < counterpart ? -1 : 1;
  }
  return 0;
}

/** As PostgreSQL orders UUIDs. */
const byId = (one: Candidate, other: Candidate): number => (one.user_id < other.user_id ? -1 : 1);
