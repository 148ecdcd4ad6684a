import { DomainEvent } from '../platform/events/domain-event';
import type { ChosenPresence, Presence } from './presence.rules';

/** The presence of a user (subject_id) as colleagues see it changed. */
export class PresenceChanged extends DomainEvent {
  readonly type = 'user.presence_changed';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    readonly presence: Presence,
  ) {
    super(tenantId, userId, occurredAt);
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
  ) {
    super(tenantId, userId, occurredAt);
  }

  override get details() {
    return { chosen: this.chosen };
  }
}
