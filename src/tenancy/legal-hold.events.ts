import { DomainEvent } from '../platform/events/domain-event';

/** Always audited, since the operator is not an actor. The reason is not, since it may name persons. */
abstract class LegalHoldEvent extends DomainEvent {
  constructor(
    tenantId: string,
    holdId: string,
    occurredAt: string,
    /** Null for a hold of the whole tenant. */
    readonly customer_id: string | null,
  ) {
    super(tenantId, holdId, occurredAt);
  }

  override get audited() {
    return 'always' as const;
  }

  override get details() {
    return { customer_id: this.customer_id };
  }
}

/** The data of a tenant or of a customer must not be deleted. */
export class LegalHoldAdded extends LegalHoldEvent {
  readonly type = 'legal_hold.added';
}

export class LegalHoldReleased extends LegalHoldEvent {
  readonly type = 'legal_hold.released';
}
