import type { CallSession } from '../../../shared/call/call-session';
import type { LocalMedia } from '../../../shared/call/local-media';

export type DeviceKind = 'audio' | 'camera' | 'speaker';

const STORAGE_KEY = 'vcq-console-devices';

/** The ids of the devices that were chosen in this browser. */
type DevicePreferences = Partial<Record<DeviceKind, string>>;

export const devicePreferences = {
  read(): DevicePreferences {
    try {
      return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as DevicePreferences;
    } catch {
      return {};
    }
  },
  keep(kind: DeviceKind, deviceId: string): void {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...this.read(), [kind]: deviceId }));
  },
};

interface CallDevices {
  media: LocalMedia;
  session: CallSession;
}

/** Before the devices of a call are opened: chooses those of the calls before, if they are still plugged in. */
export async function choosePreferredDevices({ media, session }: CallDevices): Promise<void> {
  const { audio, camera, speaker } = devicePreferences.read();
  if (!audio && !camera && !speaker) return;
  const { microphones, cameras, speakers } = await media.devices();
  if (has(microphones, audio)) await media.chooseDevice('audio', audio);
  if (has(cameras, camera)) await media.chooseDevice('camera', camera);
  if (has(speakers, speaker)) await session.setSpeaker(speaker).catch(() => undefined);
}

function has(devices: readonly MediaDeviceInfo[], id: string | undefined): id is string {
  return id !== undefined && devices.some(({ deviceId }) => deviceId === id);
}
