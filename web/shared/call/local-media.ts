import { Emitter, type Unsubscribe } from '../emitter';
import { onReturn } from '../on-return';
import { nextCamera } from './devices/constraints';
import { DeviceTrack } from './devices/device-track';
import type { DeviceLists, LocalMediaEvents, MediaResult, MediaStatus, MediaTracks } from './media-types';
import { openBoth } from './devices/open-both';
import { ScreenShare } from './devices/screen-share';

export type * from './media-types';
export { canShareScreen } from './devices/screen-share';

/** The person's microphone, camera and screen. Nothing is asked for before `open`, `setMicrophone` or `setCamera`. */
export class LocalMedia extends Emitter<LocalMediaEvents> {
  private readonly audio = this.device('audio');
  private readonly camera = this.device('camera');
  private readonly screen = new ScreenShare(
    () => this.send('change', undefined),
    () => this.send('screen_ended', undefined),
  );
  private readonly subscriptions: Unsubscribe[] = [];
  private stream: MediaStream | null = null;

  constructor(private readonly source: () => MediaDevices | undefined = () => navigator.mediaDevices) {
    super();
  }

  get tracks(): MediaTracks {
    return { audio: this.audio.track, camera: this.camera.track, screen: this.screen.track };
  }

  get status(): MediaResult {
    return { audio: this.audio.status, camera: this.camera.status };
  }

  get microphoneOn(): boolean {
    return this.audio.track?.enabled ?? false;
  }

  get cameraOn(): boolean {
    return this.camera.track !== null;
  }

  /** The camera, for a preview; null while it is off. The same object as long as the camera is the same. */
  get preview(): MediaStream | null {
    const { track } = this.camera;
    if (track !== (this.stream?.getTracks()[0] ?? null)) this.stream = track && new MediaStream([track]);
    return this.stream;
  }

  /** Asks for both at once, and for each alone if that fails. Never rejects. */
  async open({ audio, video }: { audio: boolean; video: boolean }): Promise<MediaResult> {
    this.watch();
    const isOpen = this.audio.track !== null || this.camera.track !== null;
    if (audio && video && !isOpen) await openBoth(this.source(), this.audio, this.camera);
    else {
      if (audio) this.audio.isWanted = true;
      if (video) this.camera.isWanted = true;
      if (audio) await this.audio.takeIfWanted();
      if (video) await this.camera.takeIfWanted();
    }
    return this.status;
  }

  /** Muting keeps the device: it is back at once, and the other side gets silence. */
  async setMicrophone(on: boolean): Promise<MediaStatus> {
    this.watch();
    this.send('chosen', { microphone: on });
    this.audio.setMuted(!on);
    if (on) await this.audio.take();
    this.send('change', undefined);
    return this.audio.status;
  }

  /** Off releases the camera, whose light goes out. */
  setCamera(on: boolean): Promise<MediaStatus> {
    this.watch();
    this.send('chosen', { camera: on });
    return on ? this.camera.take() : this.camera.release();
  }

  /** Front to back or back to front on a phone, otherwise the next camera. */
  async switchCamera(): Promise<MediaStatus> {
    const settings = this.camera.track?.getSettings() ?? {};
    const choice = nextCamera(settings, (await this.devices()).cameras);
    return choice ? this.camera.choose(choice) : this.camera.status;
  }

  /** Turns nothing on or off. */
  chooseDevice(kind: 'audio' | 'camera', deviceId: string): Promise<MediaStatus> {
    return this[kind].choose({ deviceId });
  }

  /** Browsers tell the names only after a permission was granted. */
  async devices(): Promise<DeviceLists> {
    const all =
      (await this.source()
        ?.enumerateDevices()
        .catch(() => [])) ?? [];
    const of = (kind: MediaDeviceKind) =>
      all.filter((device) => device.kind === kind && device.deviceId !== '');
    return { microphones: of('audioinput'), cameras: of('videoinput'), speakers: of('audiooutput') };
  }

  /** `refused` also when the person closed the choice of screens. Call it in a click. */
  startScreen(): Promise<MediaStatus> {
    return this.screen.start();
  }

  stopScreen(): void {
    this.screen.stop();
  }

  /** Releases everything. */
  stop(): void {
    for (const unsubscribe of this.subscriptions.splice(0)) unsubscribe();
    void this.audio.release();
    void this.camera.release();
    this.screen.stop();
  }

  private device(kind: 'audio' | 'camera'): DeviceTrack {
    return new DeviceTrack(kind, {
      devices: () => this.source(),
      onChange: () => this.send('change', undefined),
      onLost: (status) => this.send('lost', { kind, status }),
    });
  }

  private watch(): void {
    if (this.subscriptions.length > 0) return;
    const source = this.source();
    const onChange = () => {
      this.send('devices', undefined);
      this.restore();
    };
    source?.addEventListener('devicechange', onChange);
    // iOS takes the devices away from a page in the background.
    this.subscriptions.push(
      () => source?.removeEventListener('devicechange', onChange),
      onReturn(() => this.restore()),
    );
  }

  private restore(): void {
    for (const device of [this.audio, this.camera]) {
      // For a refused device the browser would ask the user again, without any action of theirs.
      if (device.status !== 'refused' && device.status !== 'prompt') void device.restore();
    }
  }
}
