import { Injectable } from '@nestjs/common';
import type { Feature } from '../../plans/plan-catalogue';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import type { Transaction } from '../../platform/database/transaction';

/** Decides which tenants' recordings may be sent to the AI server. */
@Injectable()
export class GenerationPolicy {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  /** @returns whether the tenant is not suspended and its plan in force includes the feature */
  async isAllowed(tx: Transaction, tenantId: string, feature: Feature): Promise<boolean> {
    const active = await tx.query('SELECT FROM tenants WHERE id = $1 AND suspended_at IS NULL', [tenantId]);
    if (active.length === 0) return false;
    const plan = await this.subscriptions.planInForce(tx, tenantId);
    return plan.features.includes(feature);
  }
}
