import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '../../platform/clock/clock';
import { ClockSteps } from './clock-steps';
import { isLockTimeout } from '../../platform/database/connections/statement-errors';
import type { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { RecurringTask } from '../../platform/jobs/recurring-task';

const BATCH_SIZE = 50;
/** The rows of other companies wait meanwhile. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '100ms'";
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface DueRow {
  id: string;
  tenant_id: string;
  next_deadline: string;
}

/**
 * Acts on the rows of a table whose deadline has passed. A deadline is a column, so it survives a restart, and
 * any instance can act on it.
 */
export abstract class DeadlineSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private readonly task: RecurringTask;
  private readonly steps = new ClockSteps();

  /**
   * @param intervalMs from the end of one sweep to the start of the next
   * @param key the column that identifies what `settle` acts on
   * @param deadline the column of the deadline; null for rows without one
   */
  constructor(
    private readonly table: string,
    intervalMs: number,
    private readonly database: Database,
    protected readonly clock: Clock,
    private readonly key = 'id',
    private readonly deadline = 'next_deadline',
  ) {
    this.task = new RecurringTask(this.constructor.name, intervalMs, () => this.sweep());
  }

  /** SQL that returns the earliest deadline of all rows; NULL if there is none. */
  get earliestDeadlineSql(): string {
    return `SELECT min(${this.deadline}) FROM ${this.table}`;
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** Settles every due row, each in its own transaction. Those of a company that has locked something wait for the next sweep. */
  async sweep(): Promise<void> {
    const step = this.steps.observe(Date.now(), performance.now());
    if (step > 0) this.logger.warn(`The clock was set forward by ${Math.round(step / 1000)} s`);
    const now = this.clock.now();
    const locked = new Set<string>();
    let batch: DueRow[] = [];
    do {
      batch = await this.due(now, batch.at(-1));
      for (const { id, tenant_id, next_deadline } of batch) {
        if (this.steps.dueAt(Date.parse(next_deadline)) > now.getTime() || locked.has(tenant_id)) continue;
        if (!(await this.trySettle(tenant_id, id))) locked.add(tenant_id);
      }
    } while (batch.length === BATCH_SIZE && !this.task.isStopped);
  }

  /**
   * Locks the row with SKIP LOCKED, so that one instance gets it, checks that its deadline is still due and acts on
   * it. A row that another transaction holds is left to the next sweep.
   */
  protected abstract settle(tx: Transaction, id: string): Promise<void>;

  /** One row that cannot be settled must not hold up the others. @returns false if it did not get a lock */
  private async trySettle(tenantId: string, id: string): Promise<boolean> {
    try {
      await this.database.tenant(tenantId, (tx) => {
        tx.send({ text: LOCK_TIMEOUT });
        return this.settle(tx, id);
      });
      return true;
    } catch (error) {
      this.logger.error(error, `A deadline of ${this.table} ${id} failed`);
      return !isLockTimeout(error);
    }
  }

  /** Due rows after `last`, the longest overdue first. */
  async due(now: Date, last: DueRow | undefined): Promise<DueRow[]> {
    const [rows] = await this.database.readSystem<[DueRow]>([
      {
        text: `SELECT ${this.key} AS id, tenant_id, ${this.deadline} AS next_deadline FROM ${this.table}
               WHERE ${this.deadline} <= $1 AND (${this.deadline}, ${this.key}) > ($2, $3)
               ORDER BY ${this.deadline}, ${this.key} LIMIT ${BATCH_SIZE}`,
        values: [now, last?.next_deadline ?? '-infinity', last?.id ?? NO_ID],
      },
    ]);
    return rows;
  }
}
