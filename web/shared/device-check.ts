import type { LocalMedia, MediaStatus } from './call/local-media';
import { networkLevel } from './device-check/network-level';
import { measureRelay } from './device-check/relay-probe';
import type { DeviceReport, DeviceStatus } from './socket-models';

export interface DeviceCheckOptions {
  /** Opened by the page before, in answer to a click: the check itself never asks for a permission. */
  media: LocalMedia;
  iceServers: () => Promise<RTCIceServer[]>;
  signal?: AbortSignal;
}

/**
 * Checks the devices and, by two connections of this page through the relay, the network: at most 10 s and 1 Mbit/s, so
 * once a call. With Save-Data the network is not measured. Never rejects; null when aborted.
 */
export async function checkDevices({
  media,
  iceServers,
  signal,
}: DeviceCheckOptions): Promise<DeviceReport | null> {
  const measured = savesData() ? null : await measureRelay(iceServers, signal).catch(() => null);
  if (signal?.aborted) return null;
  return {
    camera: deviceStatus(media.status.camera),
    microphone: deviceStatus(media.status.audio),
    network: measured && networkLevel(measured),
    relay: measured && measured.isConnected,
  };
}

/** A device that another program holds is missing for this call. */
export function deviceStatus(status: MediaStatus): DeviceStatus {
  if (status === 'ok') return 'ok';
  return status === 'missing' || status === 'in_use' ? 'missing' : 'refused';
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData ?? false;
}
