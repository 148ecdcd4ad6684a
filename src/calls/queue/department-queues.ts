import { Injectable } from '@nestjs/common';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import {
  customerEstimate,
  estimateInLine,
  type LineRate,
  NO_RATE,
  secondsUntil,
  toldOf,
} from './customer-estimate.rules';
import type {
  DepartmentQueue,
  JoiningCall,
  JoinLink,
  JoinPosition,
  LockedQueue,
} from './join-position.types';
import { LearnedWaitsCache } from './learning/learned-waits-cache';
import {
  COUNT_BEFORE_SQL,
  departmentQueueSql,
  LAST_RANK_COLUMNS,
  REPLACE_CHANGES_SQL,
} from './department-queue-sql';
import { skillsOfLink } from './line-agents';

type QueueRow = LineRate & {
  queue_size: number;
  overflow_size: number;
  offered: number;
  max_wait_time: number;
  /** How many rows the size is the sum of. */
  change_count: number;
};

type LockedRow = QueueRow & Pick<LockedQueue, 'last_rank_at' | 'last_overflow_rank_at'>;

/** That of a department that does not exist. */
const EMPTY_QUEUE: Omit<LockedQueue, 'learned'> = {
  queue_size: 0,
  overflow_size: 0,
  offered: 0,
  rate: NO_RATE,
  last_rank_at: null,
  last_overflow_rank_at: null,
};

/** Above this number, a join replaces the rows of its queue by one. */
const MAX_CHANGES = 64;

/**
 * Reads the sizes of queues. A size is the sum of the department's queue_changes, which triggers record with the calls: it
 * is exact, and reading it costs the same for a queue of one customer and of thousands.
 */
@Injectable()
export class DepartmentQueues {
  constructor(private readonly learned: LearnedWaitsCache) {}

  /** With the calls that overflowed to the department: customers wait for these, too. */
  async read(tx: Transaction, link: JoinLink): Promise<DepartmentQueue> {
    const [row, learned] = await settleAll([
      this.select<QueueRow>(tx, link),
      this.learned.in(tx, link.department_id),
    ]);
    if (!row) return { queue_size: 0, online_agents: 0, ...toldOf(null, 1, NO_RATE) };
    const queue_size = row.queue_size + row.overflow_size;
    const call = { position: queue_size + 1, offered: row.offered, waited: 0, limit: row.max_wait_time };
    return { queue_size, online_agents: row.online_agents, ...customerEstimate(call, row, learned) };
  }

  /** For a transaction that has sent the lock of the department's row before. It replaces many changes by one. */
  async readLocked(tx: Transaction, link: JoinLink): Promise<LockedQueue> {
    const [row, learned] = await settleAll([
      this.select<LockedRow>(tx, link, LAST_RANK_COLUMNS),
      this.learned.in(tx, link.department_id),
    ]);
    if (!row) return { ...EMPTY_QUEUE, learned };
    if (row.change_count > MAX_CHANGES) {
      tx.send({
        text: REPLACE_CHANGES_SQL,
        values: [link.tenant_id, link.department_id],
      });
    }
    const { queue_size, overflow_size, offered, last_rank_at, last_overflow_rank_at } = row;
    return { queue_size, overflow_size, offered, rate: row, learned, last_rank_at, last_overflow_rank_at };
  }

  /**
   * The position of a call that is about to join the queue. Only a call with priority, or one that joins after a call
   * whose instance has a clock ahead, takes a round trip: others join at the end.
   */
  async positionOf(tx: Transaction, call: JoiningCall, queue: LockedQueue): Promise<JoinPosition> {
    const { queue_size, overflow_size, learned, offered } = queue;
    const size = queue_size + overflow_size;
    const lastRanks = [queue.last_rank_at, queue.last_overflow_rank_at];
    const isLast =
      call.priority_since === null && lastRanks.every((rank) => rank === null || rank <= call.rank_at);
    const [ahead, rate] = isLast ? [size, queue.rate] : await this.countBefore(tx, call, queue.rate);
    const position = ahead + 1;
    const limit = secondsUntil(call.wait_deadline, call.inserted_at);
    const inLine = { position, offered: Math.min(offered, ahead), waited: 0, limit };
    const estimate = estimateInLine(inLine, rate, learned);
    return { position, ...toldOf(estimate, position, rate), queue_size: size + 1, estimate };
  }

  /** @returns how many calls are ahead in the line, and the rate with those in the other lines of its agents */
  private async countBefore(tx: Transaction, call: JoiningCall, rate: LineRate): Promise<[number, LineRate]> {
    const { tenant_id, department_id, priority_since, rank_at } = call;
    const counted = await tx.one<{ calls: number; ahead: number[] }>(COUNT_BEFORE_SQL, [
      tenant_id,
      department_id,
      priority_since,
      rank_at,
      JSON.stringify(rate.groups),
    ]);
    const groups = rate.groups.map((group, index) => ({ ...group, ahead: counted?.ahead[index] }));
    return [counted?.calls ?? 0, { ...rate, groups }];
  }

  private select<Row extends QueueRow>(
    tx: Transaction,
    { department_id, link_id, requires_skills }: JoinLink,
    further = '',
  ): Promise<Row | undefined> {
    return tx.one<Row>(
      departmentQueueSql(requires_skills ? skillsOfLink('$2') : undefined, further),
      requires_skills ? [department_id, link_id] : [department_id],
    );
  }
}
