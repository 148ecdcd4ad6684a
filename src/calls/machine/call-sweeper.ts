import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { DeadlineSweeper } from '../deadlines/deadline-sweeper';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { UpdateCall } from './update-call';
import { dueTrigger, gainsPriority } from './call.effects';
import { Call } from '../call.entity';
import { CallTransitions } from './call-transitions';
import { RequeueCall } from './requeue-call';

const SWEEP_INTERVAL_MS = 500;

/** Applies the transitions and priorities of calls whose deadline has passed. */
@Injectable()
export class CallSweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly transitions: CallTransitions,
    private readonly changes: UpdateCall,
    private readonly requeueing: RequeueCall,
  ) {
    super('calls', intervals.of(SWEEP_INTERVAL_MS), database, clock);
  }

  override sweep(): Promise<void> {
    return runAsReservedBackgroundWork(() => super.sweep());
  }

  protected async settle(tx: Transaction, id: string): Promise<void> {
    const call = await tx.repository(Call).findOne({
      where: { id },
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
    if (!call) return;
    const now = this.clock.now();
    const trigger = dueTrigger(call, now);
    if (trigger === 'ring_timeout') await this.requeueing.afterRingTimeout(tx, call);
    else if (trigger) await this.transitions.apply(tx, call, { trigger });
    else if (gainsPriority(call, now)) {
      await this.changes.write(tx, call, { priority_since: call.priority_deadline, priority_deadline: null });
    }
  }
}
