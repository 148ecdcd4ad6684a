import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

export class CustomerCreated extends DomainEvent {
  readonly type = 'customer.created';
}

export class CustomerUpdated extends RecordUpdated {
  readonly type = 'customer.updated';
}

/**
 * Recorded before the duplicates' rows are deleted, so that listeners can move their records in the same transaction.
 * The subject is the primary customer, who remains.
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

/** Recorded just before the row is deleted, so that listeners can settle the customer's records, or throw to prevent it. */
export class CustomerDeleted extends DomainEvent {
  readonly type = 'customer.deleted';

  constructor(
    tenantId: string,
    customerId: string,
    occurredAt: string,
    /** Whether all personal data is erased, too. */
    readonly erased: boolean,
  ) {
    super(tenantId, customerId, occurredAt);
  }

  override get details() {
    return { erased: this.erased };
  }
}

/** A user exported all personal data of the customer. */
export class PersonalDataExported extends DomainEvent {
  readonly type = 'customer.exported';

  override get isStored() {
    return false;
  }
}
