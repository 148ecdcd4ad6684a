import { Injectable } from '@nestjs/common';
import type { CustomerEstimate } from '../calls/queue/customer-estimate.rules';
import { spokenSeconds } from '../calls/queue/estimates/wait-range.rules';
import type { WaitingPosition } from '../calls/queue/queue';
import { Clock } from '../platform/clock/clock';
import type { CustomerSnapshot, StaffSnapshot } from './snapshots/snapshots';
import type { CustomerData, LiveSocket, SentPosition } from './socket.types';

/** Both estimates are rounded to seconds. */
const MAX_ROUNDING_SECONDS = 1;

/** Sends `queue_position`: the only place that does, so that a customer never receives the same position twice. */
@Injectable()
export class QueuePositionSender {
  constructor(private readonly clock: Clock) {}

  /**
   * Sends the position if it, or whether an agent is being called, differs from what the socket received last, and is not
   * older: positions are read by several tasks at the same time, and the one that began first may be the last to end.
   * @param isEstimateSent whether the position is sent, too, if only its estimate differs
   * @param at when the position was read, ISO 8601
   * @param readMs when its reading began, of performance.now
   * @returns whether it was sent
   */
  send(
    socket: LiveSocket,
    place: WaitingPosition,
    isEstimateSent: boolean,
    at = this.clock.now().toISOString(),
    readMs = performance.now(),
  ): boolean {
    const data = socket.data as CustomerData;
    if (data.positionReadMs !== undefined && readMs < data.positionReadMs) return false;
    data.positionReadMs = readMs;
    const { call_id, position, estimated_wait_time, estimated_wait_range, has_estimate } = place;
    const { queue_size, ringing, version } = place;
    const estimate = { estimated_wait_time, estimated_wait_range, has_estimate };
    const isNews = data.lastSent?.position !== position || data.lastSent.ringing !== ringing;
    if (!isNews && !(isEstimateSent && isNewEstimate(data.lastSent, estimate, at))) return false;
    data.lastSent = { position, ...estimate, ringing, at };
    socket.emit('queue_position', { call_id, position, ...estimate, queue_size, ringing, version, at });
    return true;
  }
}

/**
 * Whether customers have to learn of the estimate. One that has only become smaller with the time, as before a deadline, is news
 * only when one would say it differently: otherwise each change of an agent would be sent to the whole line.
 * @param at when the new estimate was made
 */
function isNewEstimate(last: SentPosition | undefined, next: CustomerEstimate, at: string): boolean {
  if (!last) return true;
  // The first agent who can be reached may leave estimated_wait_time as it was.
  if (last.has_estimate !== next.has_estimate) return true;
  if (last.estimated_wait_range?.low !== next.estimated_wait_range?.low) return true;
  if (last.estimated_wait_range?.high !== next.estimated_wait_range?.high) return true;
  const [before, now] = [last.estimated_wait_time, next.estimated_wait_time];
  const elapsed = (Date.parse(at) - Date.parse(last.at)) / 1000;
  const isCountdown = now <= before && Math.abs(before - elapsed - now) <= MAX_ROUNDING_SECONDS;
  return isCountdown ? spokenSeconds(before) !== spokenSeconds(now) : before !== now;
}

/**
 * A newer position may be sent while a snapshot is read. The customer would go back to the older one with the snapshot, and keep
 * it until the position changes again.
 * @param readMs when the reading of the snapshot began, of performance.now
 * @returns the snapshot with the newest position
 */
export function withNewestPosition(
  { data }: LiveSocket,
  snapshot: CustomerSnapshot | StaffSnapshot,
  readMs: number,
): CustomerSnapshot | StaffSnapshot {
  if (data.kind !== 'customer' || !('status' in snapshot) || snapshot.status !== 'queued') return snapshot;
  if (!data.lastSent || data.positionReadMs === undefined || readMs >= data.positionReadMs) return snapshot;
  const { at: _at, ...place } = data.lastSent;
  return { ...snapshot, ...place };
}
