import { DomainEvent } from './domain-event';

/** Fields of a record (subject) have changed. */
export abstract class RecordUpdated extends DomainEvent {
  constructor(
    tenantId: string,
    subjectId: string,
    occurredAt: string,
    /** Names of the changed fields. */
    readonly changed: string[],
  ) {
    super(tenantId, subjectId, occurredAt);
  }

  override get details() {
    return { changed: this.changed };
  }
}
