import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { DeadlineSweeper } from '../deadlines/deadline-sweeper';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import type { Call } from '../call.entity';
import { CallTransitions } from '../machine/call-transitions';
import { invitationExpired, RETRY_SECONDS } from './callback.effects';
import { afterExpiry } from './callback.machine';
import { Callbacks } from './callbacks';
import { lockUnlocked } from './lock-unlocked';

const SWEEP_INTERVAL_MS = 500;

/** Ends invitations whose customers did not return in time: they are invited again later, or their calls end. */
@Injectable()
export class CallbackSweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly callbacks: Callbacks,
    private readonly transitions: CallTransitions,
  ) {
    super('callbacks', intervals.of(SWEEP_INTERVAL_MS), database, clock, 'call_id');
  }

  override sweep(): Promise<void> {
    return runAsReservedBackgroundWork(() => super.sweep());
  }

  protected async settle(tx: Transaction, callId: string): Promise<void> {
    const call = await lockUnlocked(tx, callId);
    if (call?.callback_status === 'invited') await this.settleInvited(tx, call);
  }

  private async settleInvited(tx: Transaction, call: Call): Promise<void> {
    const callback = await this.callbacks.find(tx, call);
    if (!callback?.next_deadline || callback.next_deadline > this.clock.now()) return;
    const { attempts, callback_attempts, next_deadline } = callback;
    if (afterExpiry(attempts, callback_attempts) === 'expire') {
      await this.transitions.apply(tx, call, { trigger: 'callback_timeout' });
      return;
    }
    const next_attempt_at = new Date(next_deadline.getTime() + RETRY_SECONDS * 1000);
    await this.callbacks.update(tx, call, { next_attempt_at, next_deadline: null });
    await this.callbacks.apply(tx, call, 'retry', invitationExpired, attempts);
  }
}
