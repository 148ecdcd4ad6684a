import type { Unsubscribe } from '../../emitter';
import type { LocalMedia } from '../local-media';
import type { DevicesOn, MediaResult } from '../media-types';

/** Keeps what is on in one call over a reload of the page. */
export interface DeviceMemory {
  /** @returns undefined if the person has turned nothing on or off in the call */
  read(): DevicesOn | undefined;
  keep(devices: DevicesOn): void;
}

/** What the person has turned off in a call stays off: after a reload, and when a transferred call begins again. */
export class DeviceChoices {
  private devices: DevicesOn;
  private readonly stop: Unsubscribe;

  constructor(
    private readonly media: LocalMedia,
    memory: DeviceMemory,
  ) {
    this.devices = memory.read() ?? { microphone: true, camera: true };
    this.stop = media.on('chosen', (change) => {
      this.devices = { ...this.devices, ...change };
      memory.keep(this.devices);
    });
  }

  /** Asks for what is to be on. What the check of the devices has left on is turned off. */
  open(): Promise<MediaResult> {
    const { media } = this;
    const { microphone, camera } = this.devices;
    if (!microphone) void media.setMicrophone(false);
    if (!camera) void media.setCamera(false);
    return media.open({ audio: microphone, video: camera });
  }

  close(): void {
    this.stop();
  }
}
