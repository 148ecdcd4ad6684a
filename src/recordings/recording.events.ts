import { ContentSent } from '../audit/download.events';
import { DomainEvent } from '../platform/events/domain-event';

/** Something happened to a recording (subject_id), its transcript or its summary. */
export abstract class RecordingEvent extends DomainEvent {
  constructor(
    tenantId: string,
    recordingId: string,
    occurredAt: string,
    readonly call_id: string,
  ) {
    super(tenantId, recordingId, occurredAt);
  }

  override get details() {
    return { call_id: this.call_id };
  }
}

/** A recording is stored completely and can be played. */
export class RecordingReady extends RecordingEvent {
  readonly type = 'recording.ready';
}

/** A recording was deleted, with its transcript and summary. */
export class RecordingDeleted extends RecordingEvent {
  readonly type = 'recording.deleted';
}

/** A user got a URL that plays the recording without an access token. */
export class RecordingTicketIssued extends RecordingEvent {
  readonly type = 'recording.ticket_issued';

  constructor(
    tenantId: string,
    recordingId: string,
    occurredAt: string,
    callId: string,
    readonly ticket_id: string,
  ) {
    super(tenantId, recordingId, occurredAt, callId);
  }

  override get isStored() {
    return false;
  }

  override get details() {
    return { ...super.details, ticket_id: this.ticket_id };
  }
}

/** A user played the recording. */
export class RecordingPlayed extends ContentSent {
  readonly type = 'recording.played';
}

/** A user downloaded the recording. */
export class RecordingDownloaded extends ContentSent {
  readonly type = 'recording.downloaded';
}

/** A user read the transcript of the recording. */
export class TranscriptRead extends ContentSent {
  readonly type = 'recording.transcript_read';
}

/** A user read the summary of the recording. */
export class SummaryRead extends ContentSent {
  readonly type = 'recording.summary_read';
}
