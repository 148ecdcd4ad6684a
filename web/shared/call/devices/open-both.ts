import { constraintsFor } from './constraints';
import type { DeviceTrack } from './device-track';
import { permissionOf, statusOfError } from './media-errors';

/** Asks for microphone and camera with one question; if that fails, for each that may still work. Never rejects. */
export async function openBoth(
  devices: MediaDevices | undefined,
  audio: DeviceTrack,
  camera: DeviceTrack,
): Promise<void> {
  audio.isWanted = true;
  camera.isWanted = true;
  try {
    if (!devices) throw new DOMException('Without HTTPS there are no devices.', 'SecurityError');
    const stream = await devices.getUserMedia(constraintsFor({ audio: audio.choice, camera: camera.choice }));
    for (const track of stream.getTracks()) (track.kind === 'audio' ? audio : camera).adopt(track);
  } catch (error) {
    for (const device of [audio, camera]) await openAlone(device, error, audio, camera);
  }
}

/** After a refusal, only a device whose permission is not the reason is asked for: one question is enough. */
async function openAlone(
  device: DeviceTrack,
  error: unknown,
  audio: DeviceTrack,
  camera: DeviceTrack,
): Promise<void> {
  const permission = await permissionOf(device.kind);
  const other = await permissionOf(device === audio ? camera.kind : audio.kind);
  const status = statusOfError(error, permission);
  const wasRefused = status === 'refused' || status === 'prompt';
  const mayWork = permission === 'granted' || (permission !== 'denied' && other === 'denied');
  if (wasRefused && !mayWork) device.fail(status);
  else await device.takeIfWanted();
}
