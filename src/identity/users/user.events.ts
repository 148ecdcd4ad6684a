import { DomainEvent } from '../../platform/events/domain-event';
import { RecordUpdated } from '../../platform/events/record-updated';

export class UserCreated extends DomainEvent {
  readonly type = 'user.created';
}

export class UserUpdated extends RecordUpdated {
  readonly type = 'user.updated';
}

/** The user is to be mailed a link to choose a first password. */
export class UserInvited extends DomainEvent {
  readonly type = 'user.invited';
}

/** The user chose a new password through a mailed link. */
export class PasswordChanged extends DomainEvent {
  readonly type = 'user.password_changed';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    /** Whether the user had no password before. */
    readonly first: boolean,
  ) {
    super(tenantId, userId, occurredAt);
  }
}

/** The user's second factor was enabled or disabled. */
export class MfaChanged extends DomainEvent {
  readonly type: 'user.mfa_enabled' | 'user.mfa_disabled';

  constructor(tenantId: string, userId: string, occurredAt: string, enabled: boolean) {
    super(tenantId, userId, occurredAt);
    this.type = enabled ? 'user.mfa_enabled' : 'user.mfa_disabled';
  }

  /** Also audited without an actor: the operator can disable MFA from the command line. */
  override get audited() {
    return 'always' as const;
  }
}

/** A user joined or left departments, which changes the queues and calls they may watch. */
export class MembershipsChanged extends DomainEvent {
  readonly type = 'user.memberships_changed';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    /** The departments that the user joined or left. */
    readonly department_ids: string[],
  ) {
    super(tenantId, userId, occurredAt);
  }

  override get details() {
    return { department_ids: this.department_ids };
  }
}
