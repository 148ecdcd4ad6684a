import type { CallOffer } from '../../../../shared/socket';

const MS = 1000;

/** @param now by the clock of the service. @returns whole seconds until the offer expires, and the share of its time that is left */
export function timeLeft(
  { offered_at, expires_at }: Pick<CallOffer['offer'], 'offered_at' | 'expires_at'>,
  now: number,
): { seconds: number; share: number } {
  const until = Date.parse(expires_at);
  const whole = until - Date.parse(offered_at);
  // The page reads its clock once a second, so an offer may have been made after `now`.
  const left = Math.min(whole, Math.max(0, until - now));
  return { seconds: Math.ceil(left / MS), share: left / Math.max(MS, whole) };
}
