import { DomainEvent } from '../platform/events/domain-event';

/** What identifies a download: its ticket, or the session of the user who sent the token. */
export type DownloadKey = { ticket_id: string } | { session_id: string };

/** A user got the content of a recording or file (subject_id) of a call. */
export abstract class ContentSent extends DomainEvent {
  constructor(
    tenantId: string,
    subjectId: string,
    occurredAt: string,
    readonly call_id: string,
    readonly key: DownloadKey,
  ) {
    super(tenantId, subjectId, occurredAt);
  }

  override get isStored() {
    return false;
  }

  override get details() {
    return { call_id: this.call_id, ...this.key };
  }
}
