import type { AgentState } from '../agents/agent-state.rules';
import {
  type Candidate,
  hasSkills,
  ineligibilityOf,
  isKept,
  type LineCall,
} from '../offers/eligibility.rules';

/** Why a call is offered to no agent at all; the first that applies is the reason. */
const OBSTACLES = {
  not_waiting: 'The call is not waiting.',
  suspended: 'The company is suspended, so no call is offered.',
  manual: 'The department is manual: agents take its calls themselves.',
  inactive_department: 'The department is inactive, so its calls are not offered.',
  offered: 'The call is being offered to an agent, who has not answered yet.',
  callback_pending:
    'The customer is away and will be invited to return. The call keeps its place and is offered once they are back.',
  customer_absent:
    'The customer is not connected. The call keeps its place and is offered once they are back.',
  plan_limit:
    'The plan allows no more calls at the same time. The call is offered once one of them has ended.',
} as const;

export type Obstacle = keyof typeof OBSTACLES;

/** Whether each obstacle applies, as the statements that find and claim calls decide it. */
export type ObstacleFacts = Readonly<Record<Obstacle, boolean>>;

const AGENT_REASONS = [
  'no_members',
  'lacks_skills',
  'reserved',
  'not_available',
  'excluded',
  'eligible',
] as const;

type AgentReason = (typeof AGENT_REASONS)[number];

/** Every code of an explanation. */
export const EXPLANATION_CODES = [...(Object.keys(OBSTACLES) as Obstacle[]), ...AGENT_REASONS];

/** The answer to "why is nobody getting this call?" */
export interface RoutingExplanation {
  /** Active members of the department, and of the one to which the call overflowed. */
  members: number;
  /** Users who may be offered the call now. */
  eligible: number;
  /** Members who are available, whether or not they may be offered this call. */
  available: number;
  /** Members who declined or missed an offer of the call within the last 10 s. */
  excluded: number;
  /** Members without the skills that the call still needs. */
  lacking_skills: number;
  code: Obstacle | AgentReason;
  /** The reason in words. */
  reason: string;
}

/**
 * Explains why a call has not been offered. If the members have different reasons, it names that of the member who comes
 * closest to getting the call. ExplainRouting answers GET /calls/:id/routing with this.
 * @param candidates the members of the departments in whose lines it stands, and the agent whom the call is kept for
 */
export function explainRouting(
  obstacles: ObstacleFacts,
  call: LineCall,
  candidates: readonly Candidate[],
): RoutingExplanation {
  const members = candidates.filter(({ active, is_member }) => active && is_member);
  const counts = {
    members: members.length,
    eligible: candidates.filter((candidate) => ineligibilityOf(candidate, call) === undefined).length,
    available: members.filter(({ state }) => state === 'available').length,
    excluded: members.filter(({ is_excluded }) => is_excluded).length,
    lacking_skills: members.filter((member) => !hasSkills(member, call)).length,
  };
  const obstacle = (Object.keys(OBSTACLES) as Obstacle[]).find((name) => obstacles[name]);
  if (obstacle) return { ...counts, code: obstacle, reason: OBSTACLES[obstacle] };
  const code = counts.eligible > 0 ? 'eligible' : reasonOf(call, members, candidates);
  return { ...counts, code, reason: REASONS[code]({ call, members, eligible: counts.eligible }) };
}

/** Ordered by how close a member comes to getting the call. */
const MEMBER_REASONS = ['lacks_skills', 'not_available', 'excluded'] as const;

function reasonOf(
  call: LineCall,
  members: readonly Candidate[],
  candidates: readonly Candidate[],
): AgentReason {
  if (isKept(call)) {
    const preferred = candidates.find(({ user_id }) => user_id === call.reserved_for?.user_id);
    return preferred && ineligibilityOf(preferred, call) === 'excluded' ? 'excluded' : 'reserved';
  }
  const found = new Set(members.map((member) => ineligibilityOf(member, call)));
  return MEMBER_REASONS.findLast((reason) => found.has(reason)) ?? 'no_members';
}

interface ReasonFacts {
  call: LineCall;
  members: readonly Candidate[];
  eligible: number;
}

const REASONS: Record<AgentReason, (facts: ReasonFacts) => string> = {
  eligible: ({ eligible }) =>
    `Agents who can take the call: ${eligible}. It is offered within a second, unless they get calls that come first.`,
  no_members: () => 'The department has no active member.',
  lacks_skills: () =>
    "No active member has the skills that the call needs. They are required until the department's skill_relax_after has passed.",
  reserved: ({ call }) =>
    `The call is kept for one agent (${STATE_WORDS[call.reserved_for?.state ?? 'offline']}) until the department's preferred_agent_wait has passed.`,
  not_available: ({ call, members }) =>
    `No member who could take the call is available: ${countsByState(
      members.filter((member) => ineligibilityOf(member, call) === 'not_available'),
    )}.`,
  excluded: () =>
    'The agents who could take the call have declined or missed an offer of it. They are asked again after 10 seconds.',
};

const STATE_WORDS: Record<AgentState, string> = {
  on_call: 'in a call',
  offline: 'offline',
  offered: 'being offered another call',
  wrap_up: 'wrapping up',
  paused: 'paused',
  available: 'available',
};

/** For example "in a call: 2, paused: 1". */
function countsByState(agents: readonly Candidate[]): string {
  const byState = Map.groupBy(agents, ({ state }) => state);
  return [...byState].map(([state, group]) => `${STATE_WORDS[state]}: ${group.length}`).join(', ');
}
