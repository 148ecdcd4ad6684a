import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Reconnection } from '../calls/machine/reconnection';
import { Database } from '../platform/database/database';
import { RecurringTask } from '../platform/jobs/recurring-task';
import { TaskIntervals } from '../platform/jobs/task-intervals';
import { Connections } from '../presence/connections';
import { InstanceHeartbeat } from '../presence/instance-heartbeat';
import { LiveConnections } from './live-connections';

const CHECK_INTERVAL_MS = 2000;

/** Removes dead instances and handles their connections as disconnected. */
@Injectable()
export class DeadInstances implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeadInstances.name);
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly instance: InstanceHeartbeat,
    private readonly connections: Connections,
    private readonly reconnection: Reconnection,
    private readonly live: LiveConnections,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(DeadInstances.name, intervals.of(CHECK_INTERVAL_MS), () =>
      this.removeDeadInstances(),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** Removes dead instances one by one. Each is claimed by a single instance. */
  async removeDeadInstances(): Promise<void> {
    while (
      await this.database.system(async (tx) => {
        const dead = await this.instance.claimDead(tx);
        if (!dead) return false;
        await this.reconnection.lockCallsOf(tx, { instance_id: dead.id });
        const closed = await this.connections.closeAllOfInstance(tx, dead.id);
        await this.live.handleClosed(tx, closed, dead.last_seen);
        await this.instance.remove(tx, dead.id);
        if (closed.length > 0)
          this.logger.warn(`Instance ${dead.id} is dead; ${closed.length} connections removed`);
        return true;
      })
    ) {
      // Continue with the next dead instance.
    }
  }
}
