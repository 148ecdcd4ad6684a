import { RecordingEvent } from '../recording.events';

export class TranscriptReady extends RecordingEvent {
  readonly type = 'transcript.ready';
}

/** It is not retried unless staff request it. */
export class TranscriptFailed extends RecordingEvent {
  readonly type = 'transcript.failed';
}

/** Staff requested one that had failed or was missing. */
export class TranscriptRetried extends RecordingEvent {
  readonly type = 'transcript.retried';
}

export class SummaryReady extends RecordingEvent {
  readonly type = 'summary.ready';
}

/** It is not retried unless staff request it. */
export class SummaryFailed extends RecordingEvent {
  readonly type = 'summary.failed';
}

/** Staff requested one that had failed or was missing. */
export class SummaryRetried extends RecordingEvent {
  readonly type = 'summary.retried';
}
