import { DomainEvent } from '../platform/events/domain-event';
import type { ChosenPresence, Presence } from './presence.rules';

/** What colleagues see of a user (subject_id) has changed. */
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

  /** It follows from a choice, from a call or from a socket's coming and going. */
  override get audited() {
    return 'never' as const;
  }
}

/** A user (subject_id) chose how to be seen while connected and in no call. */
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
