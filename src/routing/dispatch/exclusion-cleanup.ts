import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { deleteOldExclusions } from '../offers/offer-exclusions';

const INTERVAL_MS = 60_000;

/** Deletes exclusions of agents from calls that ended long ago. */
@Injectable()
export class ExclusionCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(ExclusionCleanup.name, intervals.of(INTERVAL_MS), () => this.run());
  }

  run(): Promise<void> {
    return this.database.system(async (tx) => deleteOldExclusions(tx, this.clock.now()));
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }
}
