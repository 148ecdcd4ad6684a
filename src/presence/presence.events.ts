import { DomainEvent } from '../platform/events/domain-event';
import type { Presence } from './presence.rules';

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
}
