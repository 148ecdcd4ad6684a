import { Injectable } from '@nestjs/common';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import type { Transaction } from '../../platform/database/transaction';

/** An offer of a transfer does not count: its call is active already. */
const ACTIVE_AND_OFFERED = `SELECT (SELECT count(*) FROM calls WHERE tenant_id = $1 AND status = 'active')::int
  + (SELECT count(*) FROM offers WHERE tenant_id = $1 AND status = 'pending' AND kind <> 'transfer'
      AND call_id <> $2)::int AS used`;

/** Keeps the active calls and the pending offers of a tenant together within the limit of the plan. */
@Injectable()
export class OfferingCapacity {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  /**
   * Locks the tenant if its plan has a limit, until the transaction ends. Send it before the call is locked.
   * @param callId of the call that is to be offered, whose pending offer is about to end
   * @returns whether it may be offered
   */
  async hasRoom(tx: Transaction, tenantId: string, callId: string): Promise<boolean> {
    this.subscriptions.lockLimitIf(tx, tenantId, 'max_concurrent_calls', { from: '', values: [] });
    const refusal = await this.subscriptions.refusalOf(tx, tenantId, 'max_concurrent_calls', async () => {
      const counted = await tx.one<{ used: number }>(ACTIVE_AND_OFFERED, [tenantId, callId]);
      return counted?.used ?? 0;
    });
    return refusal === undefined;
  }
}
