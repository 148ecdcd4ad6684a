import { effect, signal } from '@preact/signals-core';
import type { RecordingState } from '../../../shared/socket';
import { CallStorage } from '../call-storage';
import type { RecordedCall } from './recorded-call';
import { Recording } from './recording';
import type { RecordingUploads } from './recording-uploads';

const ASKED = 'recording-asked';

/** The recording of a call as the agent controls it: begins when the customer agrees, and ends when they withdraw it. */
export class CallRecording {
  /** After the consent, the recording could not begin. */
  readonly hasFailed = signal(false);
  private readonly recording: Recording;
  private readonly stopFollowing: () => void;
  /** Of this tab, also after a reload: the customer may agree then. */
  private readonly kept: CallStorage;

  constructor(
    private readonly call: RecordedCall,
    userId: string,
    uploads: RecordingUploads,
  ) {
    this.recording = new Recording(call, userId, uploads);
    this.kept = new CallStorage(call.id);
    this.stopFollowing = effect(() => this.follow(call.recording.value));
  }

  get isRunning() {
    return this.recording.isRunning;
  }

  get progress() {
    return this.recording.progress;
  }

  /** Stops it, or asks the customer. */
  async toggle(): Promise<void> {
    if (this.isRunning.value) return this.recording.stop();
    this.kept.keep(ASKED, 'yes');
    this.hasFailed.value = false;
    await this.call.setRecording('requested');
  }

  /** At the end of the call: uploads what was recorded. */
  close(): void {
    this.stopFollowing();
    void this.recording.stop();
  }

  /** Runs outside of the effect, which follows the state of the call alone. */
  private follow({ recording, consent }: RecordingState): void {
    queueMicrotask(() => {
      if (recording === 'requested' && consent && this.kept.read(ASKED) === 'yes') {
        this.kept.keep(ASKED, 'no');
        this.recording.start().catch(() => (this.hasFailed.value = true));
      }
      if (recording === 'on' && consent) void this.recording.resume();
      if (consent === false) void this.recording.stop();
    });
  }
}
