import { ChoiceField, IntegerField } from '../platform/http/input/fields';

/** `manual`: agents pick calls. `automatic`: the service offers them. */
export const ROUTING_MODES = ['manual', 'automatic'] as const;

export type RoutingMode = (typeof ROUTING_MODES)[number];

/** The order in which agents are chosen for a call. */
export const AGENT_SELECTIONS = ['longest_idle', 'most_skilled', 'fewest_today'] as const;

export type AgentSelection = (typeof AGENT_SELECTIONS)[number];

const DAY_SECONDS = 86_400;

const ROUTING = 'manual: agents pick calls; automatic: calls are offered to agents';
const OFFER_TIMEOUT = 'Seconds for which an agent can answer an offer of a call';
const WRAP_UP_TIME = 'Seconds that an agent has after a call before the next one is offered';
const MAX_UNANSWERED = 'How many unanswered assignments make a call missed';
const AGENT_SELECTION =
  'Which available agent is offered a call: the one who has been idle longest, the one with the highest sum of ' +
  'skill levels, or the one who has started the fewest calls today';
const SKILL_RELAX_AFTER =
  'Seconds of waiting after which any member may be offered a call, whatever skills it requires; null: never';
const PREFERRED_AGENT_WAIT = 'Seconds for which a call is kept for the agent for whom it is reserved';
const PRIORITY_STEP = 'Seconds of waiting that one point of priority is worth';

/** How the calls of a new department are distributed. Null requests the default value, except for skill_relax_after. */
export class DepartmentRoutingInput {
  @ChoiceField(ROUTING_MODES, { optional: true, default: 'manual', description: ROUTING })
  routing?: RoutingMode | null;

  @IntegerField({ min: 5, max: 120, optional: true, default: 20, example: 20, description: OFFER_TIMEOUT })
  offer_timeout?: number | null;

  @IntegerField({ max: 3600, optional: true, default: 0, example: 30, description: WRAP_UP_TIME })
  wrap_up_time?: number | null;

  @IntegerField({ min: 1, max: 10, optional: true, default: 3, example: 3, description: MAX_UNANSWERED })
  max_unanswered?: number | null;

  @ChoiceField(AGENT_SELECTIONS, { optional: true, default: 'longest_idle', description: AGENT_SELECTION })
  agent_selection?: AgentSelection | null;

  @IntegerField({
    max: DAY_SECONDS,
    optional: true,
    default: 60,
    example: 60,
    description: SKILL_RELAX_AFTER,
  })
  skill_relax_after?: number | null;

  @IntegerField({
    max: DAY_SECONDS,
    optional: true,
    default: 30,
    example: 30,
    description: PREFERRED_AGENT_WAIT,
  })
  preferred_agent_wait?: number | null;

  @IntegerField({ max: DAY_SECONDS, optional: true, default: 60, example: 60, description: PRIORITY_STEP })
  priority_step?: number | null;
}

/** How the calls of a department are distributed. */
export class DepartmentRoutingFields {
  @ChoiceField(ROUTING_MODES, { description: ROUTING })
  routing: RoutingMode;

  @IntegerField({ example: 20, description: OFFER_TIMEOUT })
  offer_timeout: number;

  @IntegerField({ example: 30, description: WRAP_UP_TIME })
  wrap_up_time: number;

  @IntegerField({ example: 3, description: MAX_UNANSWERED })
  max_unanswered: number;

  @ChoiceField(AGENT_SELECTIONS, { description: AGENT_SELECTION })
  agent_selection: AgentSelection;

  @IntegerField({ optional: true, example: 60, description: SKILL_RELAX_AFTER })
  skill_relax_after: number | null;

  @IntegerField({ example: 30, description: PREFERRED_AGENT_WAIT })
  preferred_agent_wait: number;

  @IntegerField({ example: 60, description: PRIORITY_STEP })
  priority_step: number;
}
