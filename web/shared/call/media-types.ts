export type MediaKind = 'audio' | 'camera' | 'screen';

/**
 * `prompt`: not asked yet, or the question was dismissed. `refused`: by the person or the system. `missing`: no such device.
 * `in_use`: another program has it. `off`: not wanted.
 */
export type MediaStatus = 'ok' | 'prompt' | 'refused' | 'missing' | 'in_use' | 'off';

export interface MediaResult {
  audio: MediaStatus;
  camera: MediaStatus;
}

/** What the person wants to be on. */
export interface DevicesOn {
  microphone: boolean;
  camera: boolean;
}

export interface DeviceLists {
  microphones: MediaDeviceInfo[];
  cameras: MediaDeviceInfo[];
  speakers: MediaDeviceInfo[];
}

export interface LocalMediaEvents {
  /** A track began, ended or was replaced, or the microphone or camera was turned on or off. */
  change: undefined;
  /** The person has turned the microphone or the camera on or off. */
  chosen: Partial<DevicesOn>;
  /** Devices were plugged in or removed. */
  devices: undefined;
  /** A device stopped working while it was in use, and no other one could take its place. */
  lost: { kind: 'audio' | 'camera'; status: MediaStatus };
  /** The person ended the sharing of the screen by the browser's own button. */
  screen_ended: undefined;
}

export type MediaTracks = Record<MediaKind, MediaStreamTrack | null>;
