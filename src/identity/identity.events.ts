import { DomainEvent } from '../platform/events/domain-event';

/** A session was ended: by logout, by reuse of a refresh token, or because its user was deactivated. */
export class SessionRevoked extends DomainEvent {
  readonly type = 'session.revoked';
}

export class UserCreated extends DomainEvent {
  readonly type = 'user.created';
}

export class UserUpdated extends DomainEvent {
  readonly type = 'user.updated';
}

/** A user joined or left departments, or changed role: what they may watch is different now. */
export class MembershipsChanged extends DomainEvent {
  readonly type = 'user.memberships_changed';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    /** The departments that have one agent more or less now. */
    readonly department_ids: string[],
  ) {
    super(tenantId, userId, occurredAt);
  }
}
