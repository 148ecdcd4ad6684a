import { signal } from '@preact/signals';
import { LocalMedia, type MediaResult } from '../../shared/call/local-media';

/** What the page shows of the own devices. */
export interface MediaView {
  status: MediaResult;
  microphoneOn: boolean;
  cameraOn: boolean;
  isSharing: boolean;
  preview: MediaStream | null;
}

/** The own devices: those that were chosen in the check in the line serve the call, too. */
export class CallMedia {
  readonly local = new LocalMedia();
  readonly view = signal<MediaView>(viewOf(this.local));
  /** Whether the customer goes on with what there is, without further words about it. */
  readonly isAccepted = signal(false);

  constructor() {
    this.local.on('change', () => this.renew());
    this.local.on('lost', () => this.renew());
    this.local.on('screen_ended', () => this.renew());
  }

  /** Asks for what the customer wants; what has been granted already is not asked for again. */
  async open(wanted: { audio: boolean; video: boolean }): Promise<MediaResult> {
    const status = await this.local.open(wanted);
    this.renew();
    return status;
  }

  async setMicrophone(on: boolean): Promise<void> {
    await this.local.setMicrophone(on);
    this.isAccepted.value = false;
    this.renew();
  }

  async setCamera(on: boolean): Promise<void> {
    await this.local.setCamera(on);
    this.isAccepted.value = false;
    this.renew();
  }

  async toggleScreen(): Promise<void> {
    if (this.view.value.isSharing) this.local.stopScreen();
    else await this.local.startScreen();
    this.renew();
  }

  stop(): void {
    this.local.stop();
    this.isAccepted.value = false;
    this.renew();
  }

  /** After a change of what the browser allows, which is no event. */
  renew(): void {
    this.view.value = viewOf(this.local);
  }
}

const viewOf = ({ status, microphoneOn, cameraOn, tracks, preview }: LocalMedia): MediaView => ({
  status,
  microphoneOn,
  cameraOn,
  isSharing: tracks.screen !== null,
  preview,
});

/** One for the page: the check and the call share it. */
export const callMedia = new CallMedia();
