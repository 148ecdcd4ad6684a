import { DomainEvent } from '../../platform/events/domain-event';
import type { ChosenPresence, Presence } from '../../presence/presence.rules';
import type { AgentState } from './agent-state.rules';

/** The state of an agent as it was announced, and what preceded it. */
export interface AnnouncedState {
  user_id: string;
  presence: Presence;
  state: AgentState;
  reason: string | null;
  /** When the state began, or its reason changed. */
  since: Date;
  idle_since: Date | null;
  previous_presence: Presence;
  previous_state: AgentState;
  /** The departments that the agent belongs to. */
  department_ids: string[];
}

/** The state of an agent (subject_id), its reason, or the presence that colleagues see changed. */
export class AgentStateChanged extends DomainEvent {
  readonly type = 'agent.state_changed';
  readonly presence: Presence;
  readonly previous_presence: Presence;
  readonly state: AgentState;
  readonly previous_state: AgentState;
  /** Why the agent is paused; null in other states. */
  readonly reason: string | null;
  readonly since: string;
  readonly idle_since: string | null;
  /** The departments whose members see the change: listeners would otherwise read them for each event. */
  readonly department_ids: string[];

  constructor(tenantId: string, occurredAt: string, announced: AnnouncedState) {
    super(tenantId, announced.user_id, occurredAt);
    this.presence = announced.presence;
    this.previous_presence = announced.previous_presence;
    this.state = announced.state;
    this.previous_state = announced.previous_state;
    this.reason = announced.reason;
    this.since = announced.since.toISOString();
    this.idle_since = announced.idle_since?.toISOString() ?? null;
    this.department_ids = announced.department_ids;
  }

  /** It follows from an audited choice, from a call, or from a connection. */
  override get audited() {
    return 'never' as const;
  }
}

/** A user (subject_id) chose their presence for when they are connected and not in a call. */
export class PresenceChosen extends DomainEvent {
  readonly type = 'user.presence_chosen';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    readonly chosen: ChosenPresence,
    /** Why they pause: one of the company's reasons. */
    readonly reason: string | null,
  ) {
    super(tenantId, userId, occurredAt);
  }

  /** Without the reason, which can be about the health of the user. */
  override get details() {
    return { chosen: this.chosen };
  }
}

/** A user (subject_id) ended their wrap-up, or made it longer. */
export class WrapUpChanged extends DomainEvent {
  readonly type = 'user.wrap_up_changed';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    readonly change: 'finished' | 'extended',
    /** Until when the wrap-up lasts; null when it has ended. */
    readonly wrap_up_until: string | null,
  ) {
    super(tenantId, userId, occurredAt);
  }

  override get details() {
    return { change: this.change };
  }
}
