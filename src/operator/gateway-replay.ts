import { Injectable } from '@nestjs/common';
import { type ReplayResult, ReplayPayments } from '../billing/replay-payments';
import { Database } from '../platform/database/database';
import { enterTenant } from './find-tenant';

@Injectable()
export class GatewayReplay {
  constructor(
    private readonly database: Database,
    private readonly payments: ReplayPayments,
  ) {}

  /** @param which undefined for all tenants; all notifications are read again either way. @throws Refusal */
  async replay(which: string | undefined): Promise<ReplayResult> {
    const tenant = which ? await this.database.system((tx) => enterTenant(tx, which)) : null;
    return this.payments.replay(tenant?.id ?? null);
  }
}
