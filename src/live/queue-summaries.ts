import { Injectable } from '@nestjs/common';
import { secondsBetween } from '../calls/machine/call.effects';
import { Queue, type QueueCounts, type WaitingCall } from '../calls/queue/queue';
import { changesAt, type Openness } from '../departments/hours/department-hours.rules';
import { OpennessCache } from '../departments/hours/openness-cache';
import { hasMinimumRole } from '../platform/access/roles';
import type { Principal } from '../platform/access/principal';
import { Clock } from '../platform/clock/clock';
import { naturalOrder } from '../platform/database/natural-order';
import { OpeningChanges } from './opening-changes';

const MAX_CALLS = 50;

/** A department's queue as its staff see it. `open`, `opens_at` and `closes_at` are as in the check of a link. */
export interface QueueSummary extends Openness {
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

type SummaryCounts = Omit<QueueSummary, 'calls'>;

@Injectable()
export class QueueSummaries {
  private readonly openness = new OpennessCache();

  constructor(
    private readonly queue: Queue,
    private readonly changes: OpeningChanges,
    private readonly clock: Clock,
  ) {}

  /** One summary per department that exists, read in one statement. Empty queues are included. */
  async ofDepartments(tenantId: string, departmentIds: string[]): Promise<QueueSummary[]> {
    const waiting = await this.queue.firstCalls(tenantId, departmentIds, MAX_CALLS);
    return departmentIds.flatMap((id) => {
      const line = waiting.filter(({ line_department_id }) => line_department_id === id);
      const counts = this.countsFrom(tenantId, id, line[0]);
      return counts ? { ...counts, calls: line.flatMap(({ item }) => item ?? []) } : [];
    });
  }

  /**
   * The summary without its calls: to read these takes much longer.
   * @returns undefined if the department was deleted
   */
  async countsOf(tenantId: string, departmentId: string): Promise<SummaryCounts | undefined> {
    return this.countsFrom(tenantId, departmentId, await this.queue.countsOf(tenantId, departmentId));
  }

  private countsFrom(
    tenantId: string,
    departmentId: string,
    counts: QueueCounts | undefined,
  ): SummaryCounts | undefined {
    // The calls of a deleted department wait on until a job cancels them.
    if (!counts || counts.line_name === null) return undefined;
    const { queue_size: size, longest_waits_since: since, line_name } = counts;
    const now = this.clock.now();
    const openness = this.openness.at(counts, now);
    this.changes.expect(tenantId, departmentId, changesAt(openness));
    return {
      department_id: departmentId,
      department_name: line_name,
      size,
      longest_wait: since === null ? 0 : secondsBetween(new Date(since), now),
      ...openness,
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
