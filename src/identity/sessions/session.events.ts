import { DomainEvent } from '../../platform/events/domain-event';

/** How the second factor was proven. */
export type SecondFactorMethod = 'app' | 'recovery_code';

/** A user (subject) logged in. */
export class LoginSucceeded extends DomainEvent {
  readonly type = 'login.succeeded';

  constructor(
    tenantId: string,
    userId: string,
    occurredAt: string,
    readonly session_id: string,
    readonly second_factor: SecondFactorMethod | null,
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

export type LoginFailureReason =
  'wrong_password' | 'unknown_account' | 'inactive' | 'suspended' | 'wrong_code';

/** A login was rejected. The subject is the user, or the tenant when the account is unknown. */
export class LoginFailed extends DomainEvent {
  readonly type = 'login.failed';

  constructor(
    tenantId: string,
    subjectId: string,
    occurredAt: string,
    readonly reason: LoginFailureReason,
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

/** A session (subject) was ended before it expired. */
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

  /** Also audited without an actor: reuse of a stolen refresh token must be on record. */
  override get audited() {
    return 'always' as const;
  }

  override get details() {
    return { user_id: this.user_id, reason: this.reason };
  }
}

/**
 * The permissions of a user (subject), or of every user of a tenant (subject), changed, so cached states of
 * their sessions are stale.
 */
export class AccessChanged extends DomainEvent {
  readonly type = 'access.changed';

  override get audited() {
    return 'never' as const;
  }
}
