import type { MediaStatus } from '../media-types';

/**
 * @param error of getUserMedia or getDisplayMedia
 * @param permission of the device; null where the browser does not tell
 */
export function statusOfError(error: unknown, permission: PermissionState | null): MediaStatus {
  switch ((error as Error | null)?.name) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
    case 'SecurityError':
      // The question was closed without an answer, and can be asked again.
      return permission === 'prompt' ? 'prompt' : 'refused';
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'in_use';
    default:
      return 'missing';
  }
}

/** @returns null where the browser does not tell */
export async function permissionOf(kind: 'audio' | 'camera'): Promise<PermissionState | null> {
  const name = (kind === 'audio' ? 'microphone' : 'camera') as PermissionName;
  try {
    return (await navigator.permissions.query({ name })).state;
  } catch {
    return null;
  }
}
