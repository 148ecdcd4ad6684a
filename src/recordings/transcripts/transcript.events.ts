import { RecordingEvent } from '../recording.events';

export class TranscriptReady extends RecordingEvent {
  readonly type = 'transcript.ready';
}

/** There will be none, unless somebody asks for it again. */
export class TranscriptFailed extends RecordingEvent {
  readonly type = 'transcript.failed';
}

/** Staff have asked for one that had failed, or was missing. */
export class TranscriptRetried extends RecordingEvent {
  readonly type = 'transcript.retried';
}

export class SummaryReady extends RecordingEvent {
  readonly type = 'summary.ready';
}

/** There will be none, unless somebody asks for it again. */
export class SummaryFailed extends RecordingEvent {
  readonly type = 'summary.failed';
}

/** Staff have asked for one that had failed, or was missing. */
export class SummaryRetried extends RecordingEvent {
  readonly type = 'summary.retried';
}
