import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

/** What the operator does to a tenant (subject), which is nobody of its staff. */
abstract class OperatorEvent extends DomainEvent {
  constructor(tenantId: string, occurredAt: string) {
    super(tenantId, tenantId, occurredAt);
  }

  override get audited() {
    return 'always' as const;
  }
}

/** Nobody of its staff gets in any more, and its links let no customer in. */
export class TenantSuspended extends OperatorEvent {
  readonly type = 'tenant.suspended';
}

export class TenantResumed extends OperatorEvent {
  readonly type = 'tenant.resumed';
}

/** Settings of a tenant (subject) have another value now. */
export class TenantUpdated extends RecordUpdated {
  readonly type = 'tenant.updated';
}
