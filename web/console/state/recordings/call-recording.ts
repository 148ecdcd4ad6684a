import { effect, signal } from '@preact/signals-core';
import type { RecordingState } from '../../../shared/socket';
import type { RecordedCall } from './recorded-call';
import { Recording } from './recording';
import type { RecordingUploads } from './recording-uploads';

/** The recording of a call as the agent controls it: begins when the customer agrees, and ends when they withdraw it. */
export class CallRecording {
  /** After the consent, the recording could not begin. */
  readonly hasFailed = signal(false);
  private readonly recording: Recording;
  private readonly stopFollowing: () => void;
  private wasAsked = false;

  constructor(
    private readonly call: RecordedCall,
    userId: string,
    uploads: RecordingUploads,
  ) {
    this.recording = new Recording(call, userId, uploads);
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
    this.wasAsked = true;
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
      if (this.wasAsked && recording === 'requested' && consent) {
        this.wasAsked = false;
        this.recording.start().catch(() => (this.hasFailed.value = true));
      }
      if (recording === 'on' && consent) void this.recording.resume();
      if (consent === false) void this.recording.stop();
    });
  }
}
