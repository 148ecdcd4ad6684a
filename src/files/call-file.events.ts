import { DomainEvent } from '../platform/events/domain-event';

/** A call has a file more (subject_id). */
export class CallFileUploaded extends DomainEvent {
  readonly type = 'call_file.uploaded';

  constructor(
    tenantId: string,
    fileId: string,
    occurredAt: string,
    readonly call_id: string,
  ) {
    super(tenantId, fileId, occurredAt);
  }

  override get details() {
    return { call_id: this.call_id };
  }
}
