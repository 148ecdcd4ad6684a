import type { WaitingCall } from '../../../../shared/socket';
import type { ReceivedQueue } from '../../../state/queue-state';

/** A department where somebody waits. */
export interface QueueGroup {
  id: string;
  name: string;
  size: number;
  /** Since when the customer of the longest wait waits, by the clock of this computer; null if nobody counts. */
  longestSince: number | null;
  calls: readonly WaitingCall[];
}

/** One row of the page. */
export type QueueEntry =
  | { kind: 'heading'; key: string; group: QueueGroup }
  | { kind: 'call'; key: string; group: QueueGroup; call: WaitingCall }
  | { kind: 'hidden'; key: string; count: number };

const MS = 1000;

/** @returns the departments where somebody waits, by name */
export function groupsOf(queues: readonly ReceivedQueue[], unnamed: string): QueueGroup[] {
  return queues
    .filter(({ size }) => size > 0)
    .map((queue) => ({
      id: queue.department_id,
      name: queue.department_name ?? nameFrom(queue.calls, queue.department_id) ?? unnamed,
      size: queue.size,
      longestSince: queue.longest_wait > 0 ? queue.received_at - queue.longest_wait * MS : null,
      calls: queue.calls ?? [],
    }))
    .sort((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1));
}

/** Services of before the name was part of a queue tell it by its calls alone. */
function nameFrom(calls: readonly WaitingCall[] | null, departmentId: string): string | undefined {
  return calls?.find(({ department_id }) => department_id === departmentId)?.department_name;
}

/** @returns headings, their calls, and how many calls the service did not send */
export function entriesOf(groups: readonly QueueGroup[]): QueueEntry[] {
  return groups.flatMap((group): QueueEntry[] => {
    const count = group.size - group.calls.length;
    return [
      { kind: 'heading', key: group.id, group },
      // A call that overflowed stands in two departments.
      ...group.calls.map((call) => ({ kind: 'call' as const, key: `${group.id} ${call.id}`, group, call })),
      ...(count > 0 ? [{ kind: 'hidden' as const, key: `${group.id} hidden`, count }] : []),
    ];
  });
}

/** Whether the service calls this customer back, so that nobody can answer now. */
export function isCalledBack({ callback }: Pick<WaitingCall, 'callback'>): boolean {
  return callback?.status === 'requested' || callback?.status === 'invited';
}

/** From here on, one visitor may be filling the queue. */
const MANY_FROM_ADDRESS = 3;

export function hasManyFromAddress(count: number, queueSize: number): boolean {
  return count >= MANY_FROM_ADDRESS && count > queueSize / 2;
}
