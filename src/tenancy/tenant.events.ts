import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

/** An action of the operator on a tenant (subject). Always audited, since the operator is not an actor. */
abstract class OperatorEvent extends DomainEvent {
  constructor(tenantId: string, occurredAt: string) {
    super(tenantId, tenantId, occurredAt);
  }

  override get audited() {
    return 'always' as const;
  }
}

/** Its staff can no longer log in, and its links admit no customers. */
export class TenantSuspended extends OperatorEvent {
  readonly type = 'tenant.suspended';
}

export class TenantResumed extends OperatorEvent {
  readonly type = 'tenant.resumed';
}

/** Settings of a tenant (subject) changed. */
export class TenantUpdated extends RecordUpdated {
  readonly type = 'tenant.updated';
}
