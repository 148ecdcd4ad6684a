import { ContentSent } from '../audit/download.events';
import { DomainEvent } from '../platform/events/domain-event';

/** A file (subject_id) was added to a call. */
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

/** A user downloaded or looked at the file. */
export class CallFileDownloaded extends ContentSent {
  readonly type = 'call_file.downloaded';
}
