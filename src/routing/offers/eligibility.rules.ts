import type { AgentState } from '../agents/agent-state.rules';

export interface RequiredSkill {
  skill_id: string;
  min_level: number;
}

/** A call in the line of a department, as far as it decides which agents may get it. */
export interface LineCall {
  /** The skills that an agent needs; none once the department's `skill_relax_after` has passed. */
  skills: readonly RequiredSkill[];
  /** The agent whom the call is kept for; null without one, and once `preferred_agent_wait` has passed. */
  reserved_for: { user_id: string; state: AgentState } | null;
}

/** A user as a candidate for one call. */
export interface Candidate {
  user_id: string;
  /** Whether the user is active, as an account. */
  active: boolean;
  /** Whether the user is a member of the department in whose line the call waits. */
  is_member: boolean;
  state: AgentState;
  /** The user's level in each skill that they have. */
  skills: ReadonlyMap<string, number>;
  /** Whether the user declined or missed an offer of this call within the last 10 s. */
  is_excluded: boolean;
}

/** Why a user cannot be offered a call. */
export type Ineligibility =
  'inactive' | 'not_a_member' | 'lacks_skills' | 'reserved' | 'not_available' | 'excluded';

/**
 * The first reason why the user cannot be offered the call. The agent whom a call is kept for needs neither the membership
 * nor the skills. FindCall and select-agent.ts have the same rule as SQL, which tests compare with this one; ExplainRouting
 * counts these reasons.
 * @returns undefined if the user may be offered the call
 */
export function ineligibilityOf(candidate: Candidate, call: LineCall): Ineligibility | undefined {
  const isPreferred = call.reserved_for?.user_id === candidate.user_id;
  if (!candidate.active) return 'inactive';
  if (!isPreferred && !candidate.is_member) return 'not_a_member';
  if (!isPreferred && !hasSkills(candidate, call)) return 'lacks_skills';
  if (!isPreferred && isKept(call)) return 'reserved';
  // Agents with an open call or a pending offer are in other states.
  if (candidate.state !== 'available') return 'not_available';
  return candidate.is_excluded ? 'excluded' : undefined;
}

export function hasSkills({ skills }: Pick<Candidate, 'skills'>, call: Pick<LineCall, 'skills'>): boolean {
  return call.skills.every(({ skill_id, min_level }) => (skills.get(skill_id) ?? 0) >= min_level);
}

/** The states of agents who can take a call now or soon. */
export const REACHABLE_STATES: readonly AgentState[] = ['available', 'offered', 'on_call', 'wrap_up'];

/** Whether a call that is reserved for an agent in this state is kept for them, because they could take it soon. */
export const isReachable = (state: AgentState): boolean => REACHABLE_STATES.includes(state);

/** Whether the call is kept for one agent, who will be available again. */
export function isKept({ reserved_for }: Pick<LineCall, 'reserved_for'>): boolean {
  return reserved_for !== null && isReachable(reserved_for.state);
}
