import { constraintsFor, type DeviceChoice } from './constraints';
import { permissionOf, statusOfError } from './media-errors';
import type { MediaStatus } from '../media-types';
import { SerialQueue } from '../../serial-queue';

export interface DeviceTrackContext {
  devices: () => MediaDevices | undefined;
  onChange: () => void;
  /** The device stopped working, and no other one could take its place. */
  onLost: (status: MediaStatus) => void;
}

/** The microphone or the camera. */
export class DeviceTrack {
  track: MediaStreamTrack | null = null;
  status: MediaStatus = 'prompt';
  choice: DeviceChoice = {};
  /** The person wants the device on, even if it does not work at the moment. */
  isWanted = false;
  /** The person has muted it: what is opened later begins muted, too. */
  private isMuted = false;
  private readonly queue = new SerialQueue();

  constructor(
    readonly kind: 'audio' | 'camera',
    private readonly context: DeviceTrackContext,
  ) {}

  /** Asks for the device, if it is not open. */
  take(): Promise<MediaStatus> {
    this.isWanted = true;
    return this.takeIfWanted();
  }

  /** The same, unless the person turned it off while another device was asked for. */
  takeIfWanted(): Promise<MediaStatus> {
    return this.queue.run(async () => {
      if (this.track?.readyState !== 'live' && this.isWanted) await this.request();
      return this.status;
    });
  }

  /** Takes over a track that was asked for together with the other device. */
  adopt(track: MediaStreamTrack): void {
    if (this.isWanted) return this.replace(track, 'ok');
    track.stop();
    this.replace(null, 'off');
  }

  setMuted(isMuted: boolean): void {
    this.isMuted = isMuted;
    if (this.track) this.track.enabled = !isMuted;
    // Not asked for because the person wants it off.
    else if (isMuted && this.status === 'prompt') this.status = 'off';
  }

  fail(status: MediaStatus): void {
    this.replace(null, status);
  }

  /** Stops the device. */
  release(): Promise<MediaStatus> {
    this.isWanted = false;
    return this.queue.run(() => {
      this.replace(null, 'off');
      return Promise.resolve(this.status);
    });
  }

  /** Opens another device if one is open; otherwise the next `take` does. */
  choose(choice: DeviceChoice): Promise<MediaStatus> {
    const before = this.choice;
    this.choice = choice;
    return this.queue.run(async () => {
      if (!this.isWanted) return this.status;
      const status = await this.reopen();
      if (status === 'ok') return status;
      this.choice = before;
      await this.reopen();
      return status;
    });
  }

  /** Opens the device again after the system took it away, or after it was plugged in. */
  restore(): Promise<MediaStatus> {
    return this.queue.run(async () => {
      const isWorking = this.track?.readyState === 'live' && !this.track.muted;
      if (this.isWanted && !isWorking) await this.reopen();
      return this.status;
    });
  }

  /** Phones have only one camera open at a time, so the open one is stopped first. */
  private async reopen(): Promise<MediaStatus> {
    this.track?.stop();
    await this.request();
    return this.status;
  }

  private async request(): Promise<void> {
    const devices = this.context.devices();
    try {
      if (!devices) throw new DOMException('Without HTTPS there are no devices.', 'SecurityError');
      const stream = await devices.getUserMedia(constraintsFor({ [this.kind]: this.choice }));
      const [track] = stream.getTracks();
      if (track) this.adopt(track);
      else this.replace(null, 'missing');
    } catch (error) {
      this.replace(null, statusOfError(error, await permissionOf(this.kind)));
    }
  }

  private replace(track: MediaStreamTrack | null, status: MediaStatus): void {
    const before = this.track;
    if (before && before !== track) {
      before.removeEventListener('ended', this.onEnded);
      before.stop();
    }
    this.track = track;
    this.status = status;
    if (track) {
      track.enabled = !this.isMuted;
      track.contentHint = this.kind === 'audio' ? 'speech' : 'motion';
      track.addEventListener('ended', this.onEnded);
    }
    this.context.onChange();
  }

  /** Unplugged, taken by the system, or the permission was withdrawn: any other device is better than none. */
  private readonly onEnded = () => {
    this.choice = {};
    void this.restore().then((status) => {
      if (status !== 'ok' && this.isWanted) this.context.onLost(status);
    });
  };
}
