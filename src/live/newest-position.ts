import type { CustomerSnapshot, StaffSnapshot } from './snapshots';
import type { LiveSocket } from './socket.types';

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
  const { position, estimated_wait_time, estimated_wait_range } = data.lastSent;
  return { ...snapshot, position, estimated_wait_time, estimated_wait_range };
}
