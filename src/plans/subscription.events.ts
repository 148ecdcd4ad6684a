import { DomainEvent } from '../platform/events/domain-event';
import type { PlanName, SubscriptionStatus } from './plan-catalogue';

/** A tenant (subject) has another plan, or its plan another status. */
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

  /** Nobody of the staff does it, and all of them depend on it. */
  override get audited() {
    return 'always' as const;
  }

  override get details() {
    return { plan: this.plan, status: this.status };
  }
}
