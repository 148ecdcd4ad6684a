import { DomainEvent } from '../platform/events/domain-event';
import type { PlanName, SubscriptionStatus } from './plan-catalogue';

/** The plan of a tenant (subject), or the status of its subscription, has changed. */
export class SubscriptionUpdated extends DomainEvent {
  readonly type = 'subscription.updated';

  constructor(
    tenantId: string,
    occurredAt: string,
    readonly plan: PlanName,
    readonly status: SubscriptionStatus,
  ) {
    super(tenantId, tenantId, occurredAt);
  }

  /** Payments and the operator cause it, not a member of staff, so it would otherwise not be audited. */
  override get audited() {
    return 'always' as const;
  }

  override get details() {
    return { plan: this.plan, status: this.status };
  }
}
