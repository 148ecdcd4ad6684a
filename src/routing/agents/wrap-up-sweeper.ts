import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { DeadlineSweeper } from '../../calls/deadlines/deadline-sweeper';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { WrapUp } from './wrap-up';

const SWEEP_INTERVAL_MS = 500;

/** Ends the wrap-ups whose time has passed: the view of the states needs no clock, because it ignores the time. */
@Injectable()
export class WrapUpSweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly wrapUp: WrapUp,
  ) {
    super('presences', intervals.of(SWEEP_INTERVAL_MS), database, clock, 'user_id', 'wrap_up_until');
  }

  override sweep(): Promise<void> {
    return runAsReservedBackgroundWork(() => super.sweep());
  }

  protected async settle(tx: Transaction, userId: string): Promise<void> {
    const agent = await tx.one<{ tenant_id: string }>(
      `SELECT tenant_id FROM presences WHERE user_id = $1 AND wrap_up_until <= $2 FOR NO KEY UPDATE SKIP LOCKED`,
      [userId, this.clock.now()],
    );
    if (agent) await this.wrapUp.end(tx, agent.tenant_id, userId);
  }
}
