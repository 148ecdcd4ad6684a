import { invalidField } from '../../platform/http/errors/api-error';

/** A page makes its session once when it is loaded: another session means another RTCPeerConnection. */
export const PAGE_SESSION = /^[\w-]{1,64}$/;

/**
 * @param sent `auth.session` of the handshake
 * @returns null if the client sends none
 * @throws 422
 */
export function readPageSession(sent: unknown): string | null {
  if (sent === undefined || sent === null) return null;
  if (typeof sent === 'string' && PAGE_SESSION.test(sent)) return sent;
  throw invalidField('session', 'must have 1 to 64 letters, digits, - or _');
}
