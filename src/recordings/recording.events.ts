import { DomainEvent } from '../platform/events/domain-event';

/** Something that happened to a recording (subject_id), or to what was made of it. */
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

/** It is stored whole and can be played. */
export class RecordingReady extends RecordingEvent {
  readonly type = 'recording.ready';
}

/** It is gone, with its transcript and summary. */
export class RecordingDeleted extends RecordingEvent {
  readonly type = 'recording.deleted';
}
