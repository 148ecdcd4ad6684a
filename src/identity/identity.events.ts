import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

/** What proved the second factor. */
export type SecondFactorKind = 'app' | 'recovery_code';

/** Somebody got in (subject: the user). */
export class LoginSucceeded extends DomainEvent {
  readonly type = 'login.succeeded';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    readonly session_id: string,
    readonly second_factor: SecondFactorKind | null,
  ) {
    super(tenantId, userId, occurredAt);
  }

  override get subject_type() {
    return 'user';
  }

  override get details() {
    return { session_id: this.session_id, second_factor: this.second_factor };
  }
}

export type LoginFailure = 'wrong_password' | 'unknown_account' | 'inactive' | 'suspended' | 'wrong_code';

/** Somebody was not let in. The subject is the user, or the tenant if it has no such user. */
export class LoginFailed extends DomainEvent {
  readonly type = 'login.failed';

  constructor(
    tenantId: string,
    subjectId: string,
    occurredAt: string,
    readonly reason: LoginFailure,
  ) {
    super(tenantId, subjectId, occurredAt);
  }

  override get audited() {
    return 'always' as const;
  }

  override get subject_type() {
    return this.reason === 'unknown_account' ? 'tenant' : 'user';
  }

  override get details() {
    return { reason: this.reason };
  }
}

export type RevocationReason =
  'logout' | 'revoked' | 'token_reused' | 'deactivated' | 'password_reset' | 'mfa_reset';

/** A session (subject) was ended before its time. */
export class SessionRevoked extends DomainEvent {
  readonly type = 'session.revoked';

  constructor(
    tenantId: string,
    sessionId: string,
    occurredAt: string,
    readonly user_id: string,
    readonly reason: RevocationReason,
  ) {
    super(tenantId, sessionId, occurredAt);
  }

  /** Nobody is known to act when a stolen refresh token is used, and just that is worth knowing. */
  override get audited() {
    return 'always' as const;
  }

  override get details() {
    return { user_id: this.user_id, reason: this.reason };
  }
}

export class UserCreated extends DomainEvent {
  readonly type = 'user.created';
}

export class UserUpdated extends RecordUpdated {
  readonly type = 'user.updated';
}

/** A link to choose a first password was asked for. */
export class UserInvited extends DomainEvent {
  readonly type = 'user.invited';
}

/** The user chose a new password by a mailed link. */
export class PasswordChanged extends DomainEvent {
  readonly type = 'user.password_changed';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    /** Whether there was none before. */
    readonly first: boolean,
  ) {
    super(tenantId, userId, occurredAt);
  }
}

/** The user's second factor was turned on or off. */
export class MfaChanged extends DomainEvent {
  readonly type: 'user.mfa_enabled' | 'user.mfa_disabled';

  constructor(tenantId: string, userId: string, occurredAt: string, enabled: boolean) {
    super(tenantId, userId, occurredAt);
    this.type = enabled ? 'user.mfa_enabled' : 'user.mfa_disabled';
  }

  /** The operator, who may do it, too, is nobody of the staff. */
  override get audited() {
    return 'always' as const;
  }
}

/** A user joined or left departments: what they may watch is different now. */
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

  override get details() {
    return { department_ids: this.department_ids };
  }
}

/**
 * What a user (subject), or everybody of a tenant (subject), may do is different now, so whatever is
 * remembered of their sessions is out of date.
 */
export class AccessChanged extends DomainEvent {
  readonly type = 'access.changed';

  override get audited() {
    return 'never' as const;
  }
}
