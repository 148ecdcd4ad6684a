import { effect, signal } from '@preact/signals';
import { ApiError } from '../../shared/api/client';
import { readError } from '../../shared/api/read-error';
import type { StaffSession } from '../session/staff-session';
import type { AgentCall } from './agent-call';
import { CallRecorder } from './call-recorder';

/** A recording of the agent's browser: begun after the consent, uploaded when it is stopped. A reload loses it. */
export class Recording {
  readonly isRunning = signal(false);
  readonly progress = signal<'uploading' | 'saved' | 'failed' | null>(null);
  private recorder: CallRecorder | null = null;
  private stopFollowing: (() => void) | null = null;

  constructor(
    private readonly call: AgentCall,
    private readonly session: StaffSession,
  ) {}

  async start(): Promise<void> {
    if (this.isRunning.value) return;
    // The service refuses this unless the customer has agreed.
    await this.call.setRecording('on');
    this.recorder = new CallRecorder();
    this.stopFollowing = effect(() => {
      const { audio, video, screen } = this.call.remote.value;
      void this.call.mediaChanges.value;
      this.recorder?.follow([audio?.getTracks()[0], this.call.media.tracks.audio], screen ?? video);
    });
    addEventListener('beforeunload', warn);
    this.isRunning.value = true;
    this.progress.value = null;
  }

  async stop(): Promise<void> {
    if (!this.isRunning.value || !this.recorder) return;
    this.isRunning.value = false;
    this.stopFollowing?.();
    const file = await this.recorder.stop();
    // Not acknowledged when the call has ended, which ends the recording, too.
    await this.call.setRecording('off').catch(() => undefined);
    this.progress.value = 'uploading';
    this.progress.value = await this.upload(file).then(
      () => 'saved' as const,
      () => 'failed' as const,
    );
    removeEventListener('beforeunload', warn);
  }

  private async upload(file: Blob): Promise<void> {
    const body = new FormData();
    body.append('file', file, 'recording.webm');
    const response = await fetch(`/api/v1/calls/${this.call.id}/recording/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.session.accessToken}` },
      body,
    }).catch(() => {
      throw new ApiError({ code: 'network', detail: 'The service was not reached.' });
    });
    if (!response.ok)
      throw readError(await response.json().catch(() => null), response.status, response.headers);
  }
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
