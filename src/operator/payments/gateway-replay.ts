import { Injectable } from '@nestjs/common';
import { type ReplayResult, ReplayPayments } from '../../billing/replay-payments';
import { Database } from '../../platform/database/database';
import { scopeToTenant } from '../tenants/scope-to-tenant';

/** Replays the stored notifications of payment gateways. */
@Injectable()
export class GatewayReplay {
  constructor(
    private readonly database: Database,
    private readonly payments: ReplayPayments,
  ) {}

  /**
   * Reads all notifications again and recomputes subscriptions.
   * @param slugOrId recomputes only this tenant; undefined for all
   * @throws CommandError
   */
  async replay(slugOrId: string | undefined): Promise<ReplayResult> {
    const tenant = slugOrId ? await this.database.system((tx) => scopeToTenant(tx, slugOrId)) : null;
    return this.payments.replay(tenant?.id ?? null);
  }
}
