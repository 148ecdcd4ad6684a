import { DomainEvent } from './domain-event';

/** Fields of a record (subject) have other values now. */
export abstract class RecordUpdated extends DomainEvent {
  constructor(
    tenantId: string,
    subjectId: string,
    occurredAt: string,
    /** Names of those fields. */
    readonly changed: string[],
  ) {
    super(tenantId, subjectId, occurredAt);
  }

  override get details() {
    return { changed: this.changed };
  }
}
