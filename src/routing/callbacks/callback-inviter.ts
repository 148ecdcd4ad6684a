import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InviteCustomer } from '../../calls/callbacks/invite-customer';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { DueCallbacks } from './due-callbacks';

const SWEEP_INTERVAL_MS = 1000;

/** Invites the customers whose turn it nearly is. Each instance does so; the lock of the call decides which one. */
@Injectable()
export class CallbackInviter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CallbackInviter.name);
  private readonly task: RecurringTask;

  constructor(
    private readonly due: DueCallbacks,
    private readonly customers: InviteCustomer,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(CallbackInviter.name, intervals.of(SWEEP_INTERVAL_MS), () => this.sweep());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  sweep(): Promise<void> {
    return runAsReservedBackgroundWork(async () => {
      for await (const { tenant_id, call_id } of this.due.find()) {
        if (this.task.isStopped) return;
        await this.tryInvite(tenant_id, call_id);
      }
    });
  }

  /** One customer who cannot be invited must not hold up the others. */
  private async tryInvite(tenantId: string, callId: string): Promise<void> {
    try {
      await this.customers.invite(tenantId, callId);
    } catch (error) {
      this.logger.error(error, `The customer of call ${callId} could not be invited`);
    }
  }
}
