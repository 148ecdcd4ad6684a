import {
  ChoiceField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';
import { PRESENCES, type Presence } from '../../presence/presence.rules';
import { AGENT_STATES, type AgentState } from '../../routing/agents/agent-state.rules';
import { ALERT_KINDS, type AlertKind } from '../../routing/alerts/alert.events';
import { OfferDto } from '../../routing/offers/offer.dto';
import { CallPayload } from './call.payloads';

/** An offer, and its call as the same transaction left it. */
export class OfferPayload extends OfferDto {
  @ObjectField(() => CallPayload)
  call: CallPayload;
}

/** The state of an agent as it was announced. */
export class AgentStatePayload {
  @UuidField()
  user_id: string;

  @TextField({ example: 'Ana Souza' })
  name: string;

  @ChoiceField(PRESENCES, { example: 'away', description: 'What colleagues see' })
  presence: Presence;

  @ChoiceField(AGENT_STATES, { example: 'paused' })
  state: AgentState;

  @ChoiceField(AGENT_STATES, {
    example: 'available',
    description: 'The same as `state` if only the presence or the reason changed',
  })
  previous_state: AgentState;

  @TextField({
    optional: true,
    example: 'Lunch',
    description:
      "Why the agent is paused: one of the company's pause_reasons, missed_offer or not_taking_calls",
  })
  reason: string | null;

  @TimestampField({ description: 'When the state began' })
  since: string;

  @TimestampField({
    optional: true,
    example: '2026-01-31T11:58:00.000Z',
    description: 'Since when the agent waits for a call, or waited before the last one',
  })
  idle_since: string | null;
}

export class QueueAlertPayload {
  @ChoiceField(ALERT_KINDS, {
    description:
      '`longest_wait`: a call has waited for alert_longest_wait; `nobody_available`: calls wait and all agents of the ' +
      'department are offline or paused',
  })
  kind: AlertKind;

  @UuidField()
  department_id: string;

  @TimestampField({ description: 'Since when this has been so' })
  since: string;
}
