import type { DeviceMemory } from '../../../shared/call/devices/device-choices';
import type { DevicesOn } from '../../../shared/call/media-types';
import { CallStorage } from '../call-storage';

/** What the agent has on in a call, also after a reload of this tab. */
export function callDevices(callId: string): DeviceMemory {
  const storage = new CallStorage(callId);
  return {
    read: () => (JSON.parse(storage.read('devices') ?? 'null') as DevicesOn | null) ?? undefined,
    keep: (devices) => storage.keep('devices', JSON.stringify(devices)),
  };
}
