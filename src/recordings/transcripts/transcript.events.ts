import { DomainEvent } from '../../platform/events/domain-event';

/** Something that happened to the transcript or the summary of a recording (subject_id). */
abstract class ResultEvent extends DomainEvent {
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

export class TranscriptReady extends ResultEvent {
  readonly type = 'transcript.ready';
}

/** There will be none, unless somebody asks for it again. */
export class TranscriptFailed extends ResultEvent {
  readonly type = 'transcript.failed';
}

/** Staff have asked for one that had failed, or was missing. */
export class TranscriptRetried extends ResultEvent {
  readonly type = 'transcript.retried';
}

export class SummaryReady extends ResultEvent {
  readonly type = 'summary.ready';
}

/** There will be none, unless somebody asks for it again. */
export class SummaryFailed extends ResultEvent {
  readonly type = 'summary.failed';
}

/** Staff have asked for one that had failed, or was missing. */
export class SummaryRetried extends ResultEvent {
  readonly type = 'summary.retried';
}
