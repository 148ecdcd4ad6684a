import type { LocalMedia, MediaStatus } from './call/local-media';
import { networkLevel } from './device-check/network-level';
import { measureRelay } from './device-check/relay-probe';
import type { DeviceReport, DeviceStatus } from './socket-models';

export interface DeviceCheckOptions {
  /** Opened by the page before, in answer to a click: the check itself never asks for a permission. */
  media: LocalMedia;
  iceServers: () => Promise<RTCIceServer[]>;
  signal?: AbortSignal;
  /** What an earlier check of the call has measured: it is not measured again. */
  measured?: NetworkCheck;
}

/** The part of the report that costs the customer's data. */
export type NetworkCheck = Pick<DeviceReport, 'network' | 'relay'>;

/**
 * Checks the devices and, by two connections of this page through the relay, the network: at most 10 s and 1 Mbit/s, so
 * once a call, which is up to the page. With Save-Data the network is not measured. Never rejects; null when aborted.
 */
export async function checkDevices({
  media,
  iceServers,
  signal,
  measured,
}: DeviceCheckOptions): Promise<DeviceReport | null> {
  const network = measured ?? (await checkNetwork(iceServers, signal));
  if (signal?.aborted) return null;
  return {
    camera: deviceStatus(media.status.camera),
    microphone: deviceStatus(media.status.audio),
    ...network,
  };
}

async function checkNetwork(
  iceServers: DeviceCheckOptions['iceServers'],
  signal?: AbortSignal,
): Promise<NetworkCheck> {
  const measured = savesData() ? null : await measureRelay(iceServers, signal).catch(() => null);
  return { network: measured && networkLevel(measured), relay: measured && measured.isConnected };
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
