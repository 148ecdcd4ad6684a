import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { InTransaction } from '../../platform/events/listeners';
import { TenantSuspended, TenantUpdated } from '../../tenancy/tenant.events';
import { PasswordChanged, UserUpdated } from '../users/user.events';
import { AccessChanged } from './session.events';
import { MfaAttemptStore } from './mfa-attempt-store';
import { SessionsService } from './sessions.service';

/** Tenant settings that are part of a session's cached state. */
const SESSION_SETTINGS = ['restrict_attendants', 'mfa_required', 'name'];

/** Applies changes of tenants and users to the sessions that are already open. */
@Injectable()
export class SessionAccessListener {
  constructor(
    private readonly sessions: SessionsService,
    private readonly mfaAttempts: MfaAttemptStore,
    private readonly events: EventBus,
  ) {}

  @InTransaction(TenantSuspended)
  async onTenantSuspended({ tenant_id, occurred_at }: TenantSuspended, tx: Transaction): Promise<void> {
    await this.events.record(tx, new AccessChanged(tenant_id, tenant_id, occurred_at));
  }

  @InTransaction(TenantUpdated)
  async onTenantUpdated({ tenant_id, changed, occurred_at }: TenantUpdated, tx: Transaction): Promise<void> {
    if (!changed.some((setting) => SESSION_SETTINGS.includes(setting))) return;
    await this.events.record(tx, new AccessChanged(tenant_id, tenant_id, occurred_at));
  }

  @InTransaction(PasswordChanged)
  async onPasswordChanged(event: PasswordChanged, tx: Transaction): Promise<void> {
    const { tenant_id, subject_id, kept_session_id } = event;
    await this.mfaAttempts.deleteAllOfUser(tx, subject_id);
    await this.sessions.revokeAll(tx, tenant_id, subject_id, 'password_reset', kept_session_id);
  }

  @InTransaction(UserUpdated)
  async onUserUpdated(event: UserUpdated, tx: Transaction): Promise<void> {
    const { tenant_id, subject_id, changed, occurred_at } = event;
    // A user who is activated again has no open sessions, so only a deactivation finds any to revoke.
    if (changed.includes('active')) await this.sessions.revokeAll(tx, tenant_id, subject_id, 'deactivated');
    if (changed.includes('role'))
      await this.events.record(tx, new AccessChanged(tenant_id, subject_id, occurred_at));
  }
}
