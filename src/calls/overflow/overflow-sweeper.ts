import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { UpdateCall } from '../machine/update-call';
import { DueOverflows, type Overflow } from './due-overflows';

const SWEEP_INTERVAL_MS = 500;

/** Calls that one transaction moves, so that it does not hold thousands of locks. */
const MAX_CALLS = 100;

/** Lets calls that have waited for the overflow_after of their department wait in the line of another one, too. */
@Injectable()
export class OverflowSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OverflowSweeper.name);
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly due: DueOverflows,
    private readonly changes: UpdateCall,
    private readonly clock: Clock,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(OverflowSweeper.name, intervals.of(SWEEP_INTERVAL_MS), () => this.sweep());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  sweep(): Promise<void> {
    return runAsReservedBackgroundWork(async () => {
      for (const overflow of await this.due.find(this.clock.now())) await this.settle(overflow);
    });
  }

  /** A department whose calls cannot be moved must not hold up the others. */
  private async settle(overflow: Overflow): Promise<void> {
    try {
      let moved = MAX_CALLS;
      while (moved === MAX_CALLS && !this.task.isStopped) {
        moved = await this.database.tenant(overflow.tenant_id, (tx) => this.move(tx, overflow));
      }
    } catch (error) {
      this.logger.error(error, `The calls of department ${overflow.department_id} could not overflow`);
    }
  }

  /** @returns how many calls were moved */
  private async move(tx: Transaction, overflow: Overflow): Promise<number> {
    const now = this.clock.now();
    const calls = await this.due.lock(tx, overflow, now, MAX_CALLS);
    const fields = { overflow_department_id: overflow.target_id, overflowed_at: now };
    for (const call of calls) await this.changes.write(tx, call, fields);
    return calls.length;
  }
}
