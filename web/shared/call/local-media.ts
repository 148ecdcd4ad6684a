import { Emitter } from '../emitter';
import type {
  DeviceLists,
  LocalMediaEvents,
  MediaKind,
  MediaResult,
  MediaStatus,
  MediaTracks,
} from './media-types';

/** The person's microphone, camera and screen. Nothing is asked for before `open` or `setCamera(true)`. */
export class LocalMedia extends Emitter<LocalMediaEvents> {
  readonly tracks: MediaTracks = { audio: null, camera: null, screen: null };
  status: MediaResult = { audio: 'prompt', camera: 'prompt' };

  /** Asks for both at once, and for each alone if that fails. Never rejects. */
  open(_wanted: { audio: boolean; video: boolean }): Promise<MediaResult> {
    return Promise.resolve(this.status);
  }

  get microphoneOn(): boolean {
    return this.tracks.audio?.enabled ?? false;
  }

  get cameraOn(): boolean {
    return this.tracks.camera !== null;
  }

  /** The camera, for a preview; null while it is off. */
  get preview(): MediaStream | null {
    return this.tracks.camera && new MediaStream([this.tracks.camera]);
  }

  /** Muting keeps the device: it is back at once, and the other side gets silence. */
  setMicrophone(_on: boolean): Promise<MediaStatus> {
    return Promise.resolve(this.status.audio);
  }

  /** Off releases the camera, whose light goes out. */
  setCamera(_on: boolean): Promise<MediaStatus> {
    return Promise.resolve(this.status.camera);
  }

  /** Front to back or back to front on a phone, otherwise the next camera. */
  switchCamera(): Promise<MediaStatus> {
    return Promise.resolve(this.status.camera);
  }

  /** Turns nothing on or off. */
  chooseDevice(_kind: Exclude<MediaKind, 'screen'>, _deviceId: string): Promise<MediaStatus> {
    return Promise.resolve('ok');
  }

  devices(): Promise<DeviceLists> {
    return Promise.resolve({ microphones: [], cameras: [], speakers: [] });
  }

  /** `refused` also when the person closed the choice of screens. Call it in a click. */
  startScreen(): Promise<MediaStatus> {
    return Promise.resolve('missing');
  }

  stopScreen(): void {}

  /** Releases everything. */
  stop(): void {}
}

/** Phones cannot share their screen. */
export function canShareScreen(): boolean {
  return typeof navigator.mediaDevices?.getDisplayMedia === 'function';
}
