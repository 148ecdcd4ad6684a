import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { estimateWait, type ServiceRate } from './queue.rules';
import { NO_RATE, SERVICE_RATE_SQL } from './service-rate';

/** A department's queue as a customer who joins now would find it. */
export interface DepartmentQueue {
  queue_size: number;
  online_agents: number;
  /** Seconds that the customer would wait at the end of the queue. */
  estimated_wait_time: number;
}

type QueueRow = ServiceRate & {
  queue_size: number;
  /** How many rows the size is the sum of. */
  change_count: number;
};

/** Above this number, a join replaces the rows of its queue by one. */
const MAX_CHANGES = 64;

/**
 * Reads the sizes of queues. A size is the sum of the department's queue_changes, which triggers record with the calls: it
 * is exact, and reading it costs the same for a queue of one customer and of thousands.
 */
@Injectable()
export class DepartmentQueues {
  async read(tx: Transaction, departmentId: string): Promise<DepartmentQueue> {
    return queueFrom(await this.select(tx, departmentId));
  }

  /** As `read`, for a transaction that has sent the lock of the department's row before. It replaces many changes by one. */
  async readLocked(tx: Transaction, tenantId: string, departmentId: string): Promise<DepartmentQueue> {
    const row = await this.select(tx, departmentId);
    if (row && row.change_count > MAX_CHANGES) {
      tx.send({
        text: `WITH replaced AS (
            DELETE FROM queue_changes WHERE tenant_id = $1 AND department_id = $2 RETURNING change)
          INSERT INTO queue_changes (tenant_id, department_id, change)
          SELECT $1, $2, COALESCE(sum(change), 0) FROM replaced`,
        values: [tenantId, departmentId],
      });
    }
    return queueFrom(row);
  }

  private select(tx: Transaction, departmentId: string): Promise<QueueRow | undefined> {
    return tx.one<QueueRow>(
      `SELECT ${SERVICE_RATE_SQL}, changes.queue_size, changes.change_count
       FROM departments d CROSS JOIN LATERAL (
         SELECT COALESCE(sum(q.change), 0)::int AS queue_size, count(*)::int AS change_count
         FROM queue_changes q WHERE q.tenant_id = d.tenant_id AND q.department_id = d.id) changes
       WHERE d.id = $1`,
      [departmentId],
    );
  }
}

function queueFrom(row: QueueRow | undefined): DepartmentQueue {
  const { queue_size, ...rate } = row ?? { ...NO_RATE, queue_size: 0 };
  const { online_agents } = rate;
  return { queue_size, online_agents, estimated_wait_time: estimateWait(queue_size + 1, rate) };
}
