import {
  ChoiceField,
  IntegerField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';
import { IdFilter } from '../../platform/http/lists/query-filters';
import { AGENT_STATES, type AgentState } from './agent-state.rules';
import { MAX_WRAP_UP_SECONDS } from './wrap-up.rules';

export class AgentDto {
  @UuidField()
  user_id: string;

  @TextField({ example: 'Ana Souza' })
  name: string;

  @ChoiceField(AGENT_STATES, { example: 'paused' })
  state: AgentState;

  @TextField({
    optional: true,
    example: 'Lunch',
    description:
      'Why the agent is paused: missed_offer if the service paused them, not_taking_calls until a supervisor takes calls',
  })
  reason: string | null;

  @TimestampField({
    optional: true,
    description: 'When the state began; null for an agent who has never been connected',
  })
  since: string | null;

  @TimestampField({
    optional: true,
    description:
      'Since when the agent has been waiting for a call; null for one who has never been available',
  })
  idle_since: string | null;

  @TimestampField({ optional: true, description: 'Until when the agent wraps up their last call' })
  wrap_up_until: string | null;

  @UuidField({ optional: true, description: 'Their call, if the state is on_call; an active one first' })
  call_id: string | null;
}

export class AgentListQuery {
  @IdFilter('Members of this department')
  department_id?: string;
}

export class ChooseStateDto {
  @ChoiceField(['available', 'paused'], { example: 'paused' })
  state: 'available' | 'paused';

  @TextField({
    max: 100,
    optional: true,
    example: 'Lunch',
    description:
      "Why the agent pauses: one of the company's pause_reasons, or not_taking_calls of supervisors",
  })
  reason?: string | null;
}

export class ExtendWrapUpDto {
  @IntegerField({
    min: 1,
    max: MAX_WRAP_UP_SECONDS,
    example: 60,
    description: `Seconds by which the wrap-up gets longer; it lasts at most ${MAX_WRAP_UP_SECONDS} s in all`,
  })
  seconds: number;
}
