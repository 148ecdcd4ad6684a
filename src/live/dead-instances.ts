import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Reconnection } from '../calls/machine/reconnection';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { RecurringTask } from '../platform/jobs/recurring-task';
import { TaskIntervals } from '../platform/jobs/task-intervals';
import { Connections, type LostParticipant } from '../presence/connections';
import { type DeadInstance, DeadInstanceLeases } from '../presence/dead-instance-leases';
import { LiveConnections } from './live-connections';

const CHECK_INTERVAL_MS = 2000;

/**
 * Removes dead instances and handles their connections as disconnected: one customer or user in a transaction, because an
 * instance can have thousands of connections, and one transaction would lock all of their calls for seconds.
 */
@Injectable()
export class DeadInstances implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeadInstances.name);
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly leases: DeadInstanceLeases,
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

  /** Removes dead instances one by one. Several survivors may work on the same one. */
  async removeDeadInstances(): Promise<void> {
    const dead = await this.database.system((tx) => this.leases.mark(tx));
    for (const instance of dead) await this.removeInstance(instance);
  }

  private async removeInstance(instance: DeadInstance): Promise<void> {
    const lost = await this.database.system((tx) => this.connections.participantsOf(tx, instance.id));
    let count = 0;
    for (const participant of lost) {
      if (this.task.isStopped) return;
      count += await this.tryDisconnect(instance, participant);
    }
    const isRemoved = await this.database.system((tx) => this.leases.removeEmpty(tx, instance.id));
    if (isRemoved && count > 0) {
      this.logger.warn(`Instance ${instance.id} is dead; ${count} connections removed`);
    }
  }

  /** A call that cannot be locked in time must not hold up the others; the next check tries it again. */
  private async tryDisconnect(instance: DeadInstance, participant: LostParticipant): Promise<number> {
    try {
      return await this.disconnect(instance, participant);
    } catch (error) {
      this.logger.error(error, `Connections of the dead instance ${instance.id} could not be removed`);
      return 0;
    }
  }

  private async lockCallsOf(
    tx: Transaction,
    { tenant_id, call_id, user_id }: LostParticipant,
  ): Promise<void> {
    if (call_id !== null) await this.reconnection.lockCall(tx, call_id);
    else if (user_id !== null) await this.reconnection.lockCallsOfAgent(tx, tenant_id, user_id);
  }

  /** @returns the number of removed connections */
  private disconnect(instance: DeadInstance, participant: LostParticipant): Promise<number> {
    return this.database.tenant(participant.tenant_id, async (tx) => {
      if (!(await this.leases.lockMarked(tx, instance.id))) return 0;
      await this.lockCallsOf(tx, participant);
      const closed = await this.connections.closeOfInstance(tx, instance.id, participant);
      await this.live.handleClosed(tx, closed, instance.last_seen);
      return closed.length;
    });
  }
}
