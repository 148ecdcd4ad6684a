import type { CallOffer } from '../../../../shared/socket';
import { useServerNow } from '../../../state/use-server-now';

const MS = 1000;

/** @returns whole seconds until the offer expires, and the share of its time that is left */
export function useTimeLeft({ offered_at, expires_at }: CallOffer['offer']): {
  seconds: number;
  share: number;
} {
  const now = useServerNow();
  const [from, until] = [Date.parse(offered_at), Date.parse(expires_at)];
  const left = Math.max(0, until - now);
  return { seconds: Math.ceil(left / MS), share: Math.min(1, left / Math.max(MS, until - from)) };
}
