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
