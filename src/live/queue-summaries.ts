import { Injectable } from '@nestjs/common';
import { secondsBetween } from '../calls/machine/call.effects';
import { Queue, type QueueCounts, type WaitingCall } from '../calls/queue/queue';
import { hasMinimumRole } from '../platform/access/roles';
import type { Principal } from '../platform/access/principal';
import { Clock } from '../platform/clock/clock';
import { naturalOrder } from '../platform/database/natural-order';

const MAX_CALLS = 50;

/** A department's queue as its staff see it. */
export interface QueueSummary {
  department_id: string;
  department_name: string;
  /** Customers waiting, with those who joined another department and overflowed to this one. */
  size: number;
  /**
   * Seconds that a call has waited in its department, which need not be the first one: some have priority. Customers who will
   * be called back do not count. 0 without any others.
   */
  longest_wait: number;
  /** The first 50, in queue order. */
  calls: WaitingCall[];
}

@Injectable()
export class QueueSummaries {
  constructor(
    private readonly queue: Queue,
    private readonly clock: Clock,
  ) {}

  /** One summary per department, read in one statement. Empty queues are included. */
  async ofDepartments(tenantId: string, departmentIds: string[]): Promise<QueueSummary[]> {
    const waiting = await this.queue.firstCalls(tenantId, departmentIds, MAX_CALLS);
    return departmentIds.map((department_id) => {
      const line = waiting.filter(({ line_department_id }) => line_department_id === department_id);
      const calls = line.flatMap(({ item }) => item ?? []);
      return { department_id, ...this.countsFrom(line[0]), calls };
    });
  }

  /** The summary without its calls: to read these takes much longer. */
  async countsOf(tenantId: string, departmentId: string): Promise<Omit<QueueSummary, 'calls'>> {
    const counts = await this.queue.countsOf(tenantId, departmentId);
    return { department_id: departmentId, ...this.countsFrom(counts) };
  }

  private countsFrom(
    counts: QueueCounts | undefined,
  ): Pick<QueueSummary, 'department_name' | 'size' | 'longest_wait'> {
    const { queue_size: size = 0, longest_waits_since: since = null, line_name: name } = counts ?? {};
    return {
      department_name: name ?? '',
      size,
      longest_wait: since === null ? 0 : secondsBetween(new Date(since), this.clock.now()),
    };
  }
}

/** Selects the departments that a user watches: all for supervisors and above, their own for attendants. */
export function watchedDepartments({ tenant_id, user_id, role }: Principal) {
  return hasMinimumRole(role, 'supervisor')
    ? {
        text: `SELECT id FROM departments WHERE tenant_id = $1 ORDER BY ${naturalOrder('name')}, id`,
        values: [tenant_id],
      }
    : {
        text: `SELECT department_id AS id FROM department_members WHERE tenant_id = $1 AND user_id = $2
               ORDER BY department_id`,
        values: [tenant_id, user_id],
      };
}
