import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InviteCustomer } from '../../calls/callbacks/invite-customer';
import { isLockTimeout } from '../../platform/database/connections/statement-errors';
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
      const locked = new Set<string>();
      for await (const { tenant_id, call_id } of this.due.find()) {
        if (this.task.isStopped) return;
        if (!locked.has(tenant_id) && !(await this.tryInvite(tenant_id, call_id))) locked.add(tenant_id);
      }
    });
  }

  /**
   * One customer who cannot be invited must not hold up the others.
   * @returns false if the company's mails of the day are locked: the next sweep invites its customers
   */
  private async tryInvite(tenantId: string, callId: string): Promise<boolean> {
    try {
      await this.customers.invite(tenantId, callId);
      return true;
    } catch (error) {
      this.logger.error(error, `The customer of call ${callId} could not be invited`);
      return !isLockTimeout(error);
    }
  }
}
