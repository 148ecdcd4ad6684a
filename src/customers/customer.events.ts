import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

export class CustomerCreated extends DomainEvent {
  readonly type = 'customer.created';
}

export class CustomerUpdated extends RecordUpdated {
  readonly type = 'customer.updated';
}

/**
 * Recorded before the duplicates' rows go, so that those who hold what belongs to them can move it in the same
 * transaction. The subject is the customer who stays.
 */
export class CustomersMerged extends DomainEvent {
  readonly type = 'customer.merged';

  constructor(
    tenantId: string,
    primaryId: string,
    occurredAt: string,
    readonly duplicate_ids: string[],
  ) {
    super(tenantId, primaryId, occurredAt);
  }

  override get details() {
    return { duplicate_ids: this.duplicate_ids };
  }
}

/** Recorded just before the row goes: those who hold what belongs to it settle that, or refuse. */
export class CustomerDeleted extends DomainEvent {
  readonly type = 'customer.deleted';

  constructor(
    tenantId: string,
    customerId: string,
    occurredAt: string,
    /** Whether everything about the person goes, too. */
    readonly erased: boolean,
  ) {
    super(tenantId, customerId, occurredAt);
  }

  override get details() {
    return { erased: this.erased };
  }
}
