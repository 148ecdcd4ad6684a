import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { LineEntries } from './line-entries';

const SWEEP_INTERVAL_MS = 5000;

/**
 * Removes absent customers from the index of the line. Finding a call ignores them from the moment at which they are no
 * longer present, so this only bounds the number of entries that it reads in vain.
 */
@Injectable()
export class LinePresenceSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RecurringTask;

  constructor(
    private readonly entries: LineEntries,
    private readonly clock: Clock,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(LinePresenceSweeper.name, intervals.of(SWEEP_INTERVAL_MS), () =>
      this.sweep(),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  sweep(): Promise<void> {
    return runAsReservedBackgroundWork(async () => {
      let isComplete = false;
      while (!isComplete && !this.task.isStopped) {
        isComplete = await this.entries.expirePresence(this.clock.now());
      }
    });
  }
}
