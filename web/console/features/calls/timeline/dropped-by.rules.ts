import type { Side, TimelineEntry } from './timeline.types';

/** @returns who had lost the connection when the call ended, and had not come back */
export function droppedBy(entries: readonly TimelineEntry[]): Side[] {
  const absent = new Set<Side>();
  for (const { type, ...entry } of entries) {
    const side = entry['participant'] as Side;
    if (type === 'peer_disconnected') absent.add(side);
    if (type === 'peer_reconnected') absent.delete(side);
    // A new start or another agent begins with both.
    if (type === 'started' || type === 'transferred') absent.clear();
  }
  return [...absent];
}
