import { effect, signal } from '@preact/signals-core';
import { CallRecorder, canRecord, recordingType } from './call-recorder';
import { holdLock, type Release } from './held-lock';
import { nameOf, openPart, type RecordingPart } from './part-store';
import type { RecordedCall } from './recorded-call';
import { recordingMark } from './recording-mark';
import type { RecordingUploads } from './recording-uploads';

/**
 * A recording of the agent's browser: begun after the consent, stored on disk while it runs, uploaded when it is stopped.
 * After a reload it goes on in another part.
 */
export class Recording {
  readonly isRunning = signal(false);
  readonly progress = signal<'uploading' | 'saved' | 'failed' | null>(null);
  private isStarting = false;
  private recorder: CallRecorder | null = null;
  private part: RecordingPart | null = null;
  private stored: Promise<unknown>[] = [];
  private stopFollowing: (() => void) | null = null;
  private releases: (Release | null)[] = [];

  constructor(
    private readonly call: RecordedCall,
    private readonly userId: string,
    private readonly uploads: RecordingUploads,
  ) {}

  /** Does nothing while another tab records the call. */
  async start(): Promise<void> {
    if (this.isRunning.value || this.isStarting) return;
    this.isStarting = true;
    try {
      const release = await holdLock(`vcq-recording ${this.call.id}`);
      if (!release) return;
      this.releases = [release];
      // The service refuses this unless the customer has agreed.
      await this.call.setRecording('on');
      await this.record();
    } catch (error) {
      await this.release();
      throw error;
    } finally {
      this.isStarting = false;
    }
  }

  /**
   * Called when the service has the recording as on. If this page does not record although this browser did, it goes on
   * recording; if it cannot, the customer must not read that they are recorded.
   */
  async resume(): Promise<void> {
    const mark = recordingMark.read(this.call.id);
    if (this.isRunning.value || this.isStarting || !mark) return;
    try {
      if (mark === 'stopped' || !canRecord()) await this.switchOff();
      else await this.start();
    } catch {
      await this.switchOff().catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    const { recorder, part } = this;
    if (!this.isRunning.value || !recorder || !part) return;
    this.isRunning.value = false;
    recordingMark.write(this.call.id, 'stopped');
    this.stopFollowing?.();
    await recorder.stop();
    // Not acknowledged when the call has ended, which ends the recording, too.
    await this.switchOff().catch(() => undefined);
    await Promise.all(this.stored);
    await this.release();
    this.progress.value = 'uploading';
    this.progress.value = await this.uploads.upload(part).then(
      () => 'saved' as const,
      () => 'failed' as const,
    );
    removeEventListener('beforeunload', warn);
  }

  private async record(): Promise<void> {
    const { call, userId } = this;
    const key = { user_id: userId, call_id: call.id, started_at: Date.now(), type: recordingType() };
    const part = await openPart(key);
    this.part = part;
    this.releases.push(await holdLock(`vcq-part ${nameOf(key)}`));
    this.stored = [];
    // A chunk that the disk does not take is lost, but not the recording.
    const store = (chunk: Blob) => this.stored.push(part.append(chunk).catch(() => undefined));
    this.recorder = new CallRecorder(store);
    this.stopFollowing = effect(() => {
      const { audio, video, screen } = call.remote.value;
      void call.mediaChanges.value;
      const own = call.media.tracks;
      this.recorder?.follow({
        sounds: [audio?.getTracks()[0], own.audio],
        people: [video?.getTracks()[0], own.camera],
        screen: screen?.getTracks()[0] ?? own.screen,
      });
    });
    if (!part.isOnDisk) addEventListener('beforeunload', warn);
    recordingMark.write(call.id, 'recording');
    this.isRunning.value = true;
    this.progress.value = null;
  }

  private async switchOff(): Promise<void> {
    await this.call.setRecording('off');
    recordingMark.clear(this.call.id);
  }

  private async release(): Promise<void> {
    const { releases } = this;
    this.releases = [];
    await Promise.all(releases.map(async (release) => release?.()));
  }
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
