import type { ReadonlySignal } from '@preact/signals-core';
import type { RemoteMedia } from '../../../shared/call/call-session';
import type { LocalMedia } from '../../../shared/call/local-media';
import type { RecordingState } from '../../../shared/socket';

/** What a recording needs of a call. */
export interface RecordedCall {
  readonly id: string;
  readonly recording: ReadonlySignal<RecordingState>;
  readonly remote: ReadonlySignal<RemoteMedia>;
  /** Read together with `media`, which has no signals of its own. */
  readonly mediaChanges: ReadonlySignal<number>;
  readonly media: LocalMedia;
  setRecording(recording: RecordingState['recording']): Promise<void>;
}
