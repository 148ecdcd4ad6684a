import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { FindWaitingAgents } from './find-waiting-agents';
import { InvalidOffers } from './invalid-offers';
import { RoutingDispatcher } from './routing-dispatcher';

const SWEEP_INTERVAL_MS = 1000;

/**
 * Finds what no message has reported, so that the distribution of calls depends on none: an instance may have been killed
 * after a commit, and the command line and instances of the previous release report nothing.
 */
@Injectable()
export class RoutingSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RecurringTask;

  constructor(
    private readonly agents: FindWaitingAgents,
    private readonly offers: InvalidOffers,
    private readonly dispatcher: RoutingDispatcher,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(RoutingSweep.name, intervals.of(SWEEP_INTERVAL_MS), () => this.sweep());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  sweep(): Promise<void> {
    return runAsReservedBackgroundWork(async () => {
      await this.offers.withdrawAll();
      for await (const companies of this.agents.ofAllTenants()) {
        for (const { tenant_id, user_ids } of companies) this.dispatcher.wake(tenant_id, { user_ids });
      }
    });
  }
}
