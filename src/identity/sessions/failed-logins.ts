import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import type { LoginAccount, LoginCandidates } from './login-account-finder';
import { LoginFailed, type LoginFailureReason } from './session.events';

/**
 * Records logins that were refused, beside the answer: how long that takes would tell whether there is
 * such an account, or such a tenant.
 */
@Injectable()
export class FailedLogins implements OnModuleDestroy {
  private readonly logger = new Logger(FailedLogins.name);
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /**
   * @param fitting the account whose password was right, if that was not enough
   */
  note(
    { accounts, tenant_ids: [tenantId, another] }: LoginCandidates,
    fitting: LoginAccount | undefined,
  ): void {
    // Of several tenants of one name none is told what is perhaps another's.
    if (!tenantId || another) return;
    const account = accounts[0];
    const at = this.clock.now().toISOString();
    const failure = new LoginFailed(tenantId, account?.id ?? tenantId, at, reasonOf(account, fitting));
    const noting = this.database
      .tenant(tenantId, (tx) => this.events.record(tx, failure))
      .catch((error: unknown) => this.logger.error(error, 'A refused login could not be recorded'))
      .finally(() => this.underWay.delete(noting));
    this.underWay.add(noting);
  }
}

function reasonOf(account: LoginAccount | undefined, fitting: LoginAccount | undefined): LoginFailureReason {
  if (!account) return 'unknown_account';
  if (!fitting) return 'wrong_password';
  return fitting.active ? 'suspended' : 'inactive';
}
