import { Injectable } from '@nestjs/common';
import type { ResolvedLink } from '../../access-links/access-link-resolver';
import type { Transaction } from '../../platform/database/transaction';
import type { Call } from '../call.entity';
import { callsInLine, RANK_COLUMNS } from './line-sql';
import type { QueuePosition } from './queue';
import { estimateWait, type ServiceRate } from './queue.rules';
import { NO_RATE, serviceRateSql, skillsOfLink } from './service-rate';

/** The department that a call enters, and the link whose skills it will require, if it comes through one. */
export type JoinLink = Pick<ResolvedLink, 'tenant_id' | 'department_id'> &
  Partial<Pick<ResolvedLink, 'link_id' | 'requires_skills'>>;

/** A department's queue as a customer who joins now through a link would find it. */
export interface DepartmentQueue {
  queue_size: number;
  /** Agents who can serve the customer. */
  online_agents: number;
  /** Seconds that the customer would wait at the end of the queue. */
  estimated_wait_time: number;
}

/** A queue that no other customer joins until the transaction ends. */
export interface LockedQueue {
  /** The department's own waiting calls, which count for its max_queue_size. */
  queue_size: number;
  /** Calls of other departments that overflowed to this one. */
  overflow_size: number;
  rate: ServiceRate;
  /** The highest rank of the department's waiting calls without an appointment whose time has come; null without any. */
  last_rank_at: Date | null;
  /** The highest rank of the calls that overflowed to the department; null without any. */
  last_overflow_rank_at: Date | null;
}

/** What the position of a call depends on that is about to join, so that its queue_number will be the highest. */
export type JoiningCall = Pick<Call, 'tenant_id' | 'department_id' | 'priority_since'> & { rank_at: Date };

/** The position of a call that joins. */
export type JoinPosition = Pick<QueuePosition, 'position' | 'estimated_wait_time' | 'queue_size'>;

type QueueRow = ServiceRate & {
  queue_size: number;
  overflow_size: number;
  /** How many rows the size is the sum of. */
  change_count: number;
};

type LockedRow = QueueRow & Pick<LockedQueue, 'last_rank_at' | 'last_overflow_rank_at'>;

const SIZE_COLUMNS = ['changes.queue_size', 'changes.change_count', 'overflowed.overflow_size'];

/** That of a department that does not exist. */
const EMPTY_QUEUE: LockedQueue = {
  queue_size: 0,
  overflow_size: 0,
  rate: NO_RATE,
  last_rank_at: null,
  last_overflow_rank_at: null,
};

/** Above this number, a join replaces the rows of its queue by one. */
const MAX_CHANGES = 64;

/** The call at the end of the queue is found by one step backwards in the index. */
const LAST_RANK_SQL = `(SELECT CASE WHEN q.priority_since IS NULL THEN q.rank_at END FROM calls q
  WHERE q.tenant_id = d.tenant_id AND q.department_id = d.id AND q.status = 'queued'
  ORDER BY q.priority_since DESC, q.rank_at DESC, q.queue_number DESC LIMIT 1) AS last_rank_at`;

/** The calls that overflowed to the department `d`: a probe of an index that is empty for most departments. */
const OVERFLOWED_SQL = `(SELECT count(*)::int AS overflow_size, max(o.rank_at) AS last_overflow_rank_at FROM calls o
  WHERE o.tenant_id = d.tenant_id AND o.overflow_department_id = d.id AND o.ended_at IS NULL AND o.status = 'queued')`;

/**
 * Reads the sizes of queues. A size is the sum of the department's queue_changes, which triggers record with the calls: it
 * is exact, and reading it costs the same for a queue of one customer and of thousands.
 */
@Injectable()
export class DepartmentQueues {
  /** With the calls that overflowed to the department: customers wait for these, too. */
  async read(tx: Transaction, link: JoinLink): Promise<DepartmentQueue> {
    const row = await this.select<QueueRow>(tx, link);
    const { queue_size, overflow_size, ...rate } = row ?? { ...NO_RATE, queue_size: 0, overflow_size: 0 };
    const { online_agents } = rate;
    const estimated_wait_time = estimateWait(queue_size + overflow_size + 1, rate);
    return { queue_size: queue_size + overflow_size, online_agents, estimated_wait_time };
  }

  /** For a transaction that has sent the lock of the department's row before. It replaces many changes by one. */
  async readLocked(tx: Transaction, link: JoinLink): Promise<LockedQueue> {
    const row = await this.select<LockedRow>(tx, link, LAST_RANK_SQL, 'overflowed.last_overflow_rank_at');
    if (!row) return EMPTY_QUEUE;
    if (row.change_count > MAX_CHANGES) {
      tx.send({
        text: `WITH replaced AS (
            DELETE FROM queue_changes WHERE tenant_id = $1 AND department_id = $2 RETURNING change)
          INSERT INTO queue_changes (tenant_id, department_id, change)
          SELECT $1, $2, COALESCE(sum(change), 0) FROM replaced`,
        values: [link.tenant_id, link.department_id],
      });
    }
    const { queue_size, overflow_size, last_rank_at, last_overflow_rank_at } = row;
    return { queue_size, overflow_size, rate: row, last_rank_at, last_overflow_rank_at };
  }

  /**
   * The position of a call that is about to join the queue. Only a call with priority, or one that joins after a call
   * whose instance has a clock ahead, takes a round trip: others join at the end.
   */
  async positionOf(tx: Transaction, call: JoiningCall, queue: LockedQueue): Promise<JoinPosition> {
    const { queue_size, overflow_size, rate } = queue;
    const size = queue_size + overflow_size;
    const lastRanks = [queue.last_rank_at, queue.last_overflow_rank_at];
    const isLast =
      call.priority_since === null && lastRanks.every((rank) => rank === null || rank <= call.rank_at);
    const position = 1 + (isLast ? size : await this.countBefore(tx, call));
    return { position, estimated_wait_time: estimateWait(position, rate), queue_size: size + 1 };
  }

  private async countBefore(tx: Transaction, call: JoiningCall): Promise<number> {
    const { tenant_id, department_id, priority_since, rank_at } = call;
    const counted = await tx.one<{ calls: number }>(
      `SELECT count(*)::int AS calls FROM ${callsInLine('$1', '$2', RANK_COLUMNS)} q
       WHERE (COALESCE(q.priority_since, 'infinity'), q.rank_at) <= (COALESCE($3::timestamptz, 'infinity'), $4)`,
      [tenant_id, department_id, priority_since, rank_at],
    );
    return counted?.calls ?? 0;
  }

  private select<Row extends QueueRow>(
    tx: Transaction,
    { department_id, link_id, requires_skills }: JoinLink,
    ...further: string[]
  ): Promise<Row | undefined> {
    const rate = serviceRateSql(requires_skills ? skillsOfLink('$2') : undefined);
    const columns = [rate, ...SIZE_COLUMNS, ...further];
    return tx.one<Row>(
      `SELECT ${columns.join(', ')}
       FROM departments d CROSS JOIN LATERAL (
         SELECT COALESCE(sum(q.change), 0)::int AS queue_size, count(*)::int AS change_count
         FROM queue_changes q WHERE q.tenant_id = d.tenant_id AND q.department_id = d.id) changes
         CROSS JOIN LATERAL ${OVERFLOWED_SQL} overflowed
       WHERE d.id = $1`,
      requires_skills ? [department_id, link_id] : [department_id],
    );
  }
}
