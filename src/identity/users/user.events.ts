import type { Role } from '../../platform/access/roles';
import { DomainEvent } from '../../platform/events/domain-event';
import { RecordUpdated } from '../../platform/events/record-updated';

export class UserCreated extends DomainEvent {
  readonly type = 'user.created';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    readonly role: Role,
  ) {
    super(tenantId, userId, occurredAt);
  }

  override get details() {
    return { role: this.role };
  }
}

/** The new role of a user, and the one before. */
export interface RoleChange {
  role: Role;
  previous_role: Role;
}

export class UserUpdated extends RecordUpdated {
  readonly type = 'user.updated';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    changed: string[],
    /** Set if the role is among the changed fields. */
    readonly role_change: RoleChange | null = null,
  ) {
    super(tenantId, userId, occurredAt, changed);
  }

  override get details() {
    return { ...super.details, ...this.role_change };
  }
}

/** The user is to be mailed a link to choose a first password. */
export class UserInvited extends DomainEvent {
  readonly type = 'user.invited';
}

export interface PasswordChange {
  /** Whether the user had no password before. */
  first: boolean;
  /** Who chose it: the user by a mailed link or with the former password, or a manager. */
  by: 'link' | 'user' | 'manager';
  /** The session of a user who knew the former password: it goes on. */
  kept_session_id: string | null;
}

/** The user (subject) has a new password. */
export class PasswordChanged extends DomainEvent implements PasswordChange {
  readonly type = 'user.password_changed';
  readonly first: boolean;
  readonly by: PasswordChange['by'];
  readonly kept_session_id: string | null;

  constructor(tenantId: string, userId: string, occurredAt: string, change: PasswordChange) {
    super(tenantId, userId, occurredAt);
    this.first = change.first;
    this.by = change.by;
    this.kept_session_id = change.kept_session_id;
  }

  /** Unless it was the user. */
  override get details() {
    return this.by === 'user' ? {} : { by: this.by };
  }
}

/** Somebody, or the operator, asked for a link by which the user (subject) can choose a new password. */
export class PasswordResetRequested extends DomainEvent {
  readonly type = 'user.password_reset_requested';

  override get audited() {
    return 'always' as const;
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
