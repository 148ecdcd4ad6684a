import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction';
import type { Feature } from '../../../plans/plan-catalogue';
import { SubscriptionsService } from '../../../plans/subscriptions.service';

/** Says whose recordings may go to a provider. */
@Injectable()
export class AiPermission {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  /** Whether the tenant is not suspended, and its plan in force includes the feature. */
  async has(tx: Transaction, tenantId: string, feature: Feature): Promise<boolean> {
    const served = await tx.query('SELECT FROM tenants WHERE id = $1 AND suspended_at IS NULL', [tenantId]);
    if (served.length === 0) return false;
    const plan = await this.subscriptions.planInForce(tx, tenantId);
    return plan.features.includes(feature);
  }
}
