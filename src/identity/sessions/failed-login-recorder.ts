import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { runAsBackgroundWork } from '../../platform/logging/request-context';
import type { PasswordResetRequested } from '../users/user.events';
import type { LoginAccount, LoginCandidates } from './login-account-finder';
import { LoginFailed, type LoginFailureReason } from './session.events';

/**
 * Records rejected logins and forgotten passwords in the background: waiting for it would make response times reveal whether
 * an account or tenant exists.
 */
@Injectable()
export class FailedLoginRecorder implements OnModuleDestroy {
  private readonly logger = new Logger(FailedLoginRecorder.name);
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.pending);
  }

  /**
   * Starts recording one rejected login and returns at once.
   * @param matching the account whose password was right but which may not log in
   */
  record({ accounts, tenant_ids }: LoginCandidates, matching: LoginAccount | undefined): void {
    // If several tenants share the name, recording it could disclose one tenant's login to another.
    const [probable, another] = tenant_ids;
    const tenantId = matching?.tenant_id ?? (another ? undefined : probable);
    if (!tenantId) return;
    const account = matching ?? accounts.find(({ tenant_id }) => tenant_id === tenantId);
    const at = this.clock.now().toISOString();
    this.start(new LoginFailed(tenantId, account?.id ?? tenantId, at, reasonOf(account, matching)));
  }

  /** Starts recording an event that anybody can cause, and returns at once. */
  start(event: LoginFailed | PasswordResetRequested): void {
    const work = runAsBackgroundWork(() =>
      this.database.tenant(event.tenant_id, (tx) => this.events.record(tx, event)),
    )
      .catch((error: unknown) => this.logger.error(error, `${event.type} could not be recorded`))
      .finally(() => this.pending.delete(work));
    this.pending.add(work);
  }
}

function reasonOf(account: LoginAccount | undefined, matching: LoginAccount | undefined): LoginFailureReason {
  if (!account) return 'unknown_account';
  if (!matching) return 'wrong_password';
  return matching.active ? 'suspended' : 'inactive';
}
