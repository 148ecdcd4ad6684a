import type { MediaResult, MediaStatus } from '../../../shared/call/media-types';

export interface PermissionCase {
  state: Exclude<MediaStatus, 'ok' | 'off'>;
  device: 'both' | 'microphone' | 'camera';
}

/** The most urgent first: what the customer can do something about. */
const STATES = ['refused', 'in_use', 'prompt', 'missing'] as const;

/** @returns what keeps the devices from working, and which ones; null if nothing does */
export function permissionCase({ audio, camera }: MediaResult): PermissionCase | null {
  for (const state of STATES) {
    const device = deviceOf(audio === state, camera === state);
    if (device) return { state, device };
  }
  return null;
}

function deviceOf(isMicrophone: boolean, isCamera: boolean): PermissionCase['device'] | null {
  if (isMicrophone && isCamera) return 'both';
  if (isMicrophone) return 'microphone';
  return isCamera ? 'camera' : null;
}
