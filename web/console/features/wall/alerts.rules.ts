import type { AgentItem, WaitingCall } from '../../../shared/socket';
import type { ReceivedQueue } from '../../state/queue-state';

export type LineAlert = 'nobody_available' | 'longest_wait' | 'over_target';

/** The settings of the company with these names. */
export interface WantedAlerts {
  /** Seconds; null for no alert. */
  alert_longest_wait: number | null;
  alert_nobody_available: boolean;
}

interface LineFacts {
  queue: Pick<ReceivedQueue, 'size' | 'longest_wait' | 'received_at' | 'calls'>;
  /** The states of the members; null while they are not known. */
  members: readonly AgentItem['state'][] | null;
  /** Seconds; null while it is not known. */
  target: number | null;
  /** The alerts that the company wants. */
  wanted: WantedAlerts;
  now: number;
}

const AWAY: readonly AgentItem['state'][] = ['offline', 'paused'];

/** Whether the customer is away and will be invited to return, which the service does not count as waiting. */
export const isAway = ({ callback }: Pick<WaitingCall, 'callback'>): boolean =>
  callback?.status === 'requested' || callback?.status === 'invited';

/** @returns milliseconds that somebody in the line has waited; null if nobody does, or all are away */
export function longestWait({ size, longest_wait, received_at, calls }: LineFacts['queue'], now: number) {
  if (size === 0 || (longest_wait === 0 && calls?.every(isAway))) return null;
  return longest_wait * 1000 + Math.max(0, now - received_at);
}

/** What is wrong with a line, the worst first. */
export function lineAlerts({ queue, members, target, wanted, now }: LineFacts): LineAlert[] {
  const { alert_longest_wait: limit, alert_nobody_available } = wanted;
  const waited = longestWait(queue, now);
  if (waited === null) return [];
  const alerts: LineAlert[] = [];
  if (alert_nobody_available && members?.every((state) => AWAY.includes(state)))
    alerts.push('nobody_available');
  if (limit !== null && waited > limit * 1000) alerts.push('longest_wait');
  else if (target !== null && waited > target * 1000) alerts.push('over_target');
  return alerts;
}
