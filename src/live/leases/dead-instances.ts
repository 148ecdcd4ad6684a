import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Semaphore } from '../../platform/database/connections/semaphore';
import { Database } from '../../platform/database/database';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import type { LostParticipant } from '../../presence/dead-instance-connections';
import { type DeadInstance, DeadInstanceLeases } from '../../presence/dead-instance-leases';
import { LostConnections } from './lost-connections';

const CHECK_INTERVAL_MS = 2000;
/** Each worker holds the locks of one user, or of one batch of customers, at a time. */
const MAX_CONCURRENT_REMOVALS = 2;
/** Calls whose locks are held together: agents who act on one of them wait for the others. */
const BATCH_SIZE = 25;
/** Longer than a removal takes: a participant waits for a worker while those before it are handled. */
const MAX_WAIT_MS = 600_000;

/**
 * Removes dead instances and handles their connections as disconnected, in small transactions: an instance can have
 * thousands of connections, and one transaction would lock all of their calls for seconds.
 */
@Injectable()
export class DeadInstances implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeadInstances.name);
  private readonly task: RecurringTask;
  /** The removals in progress, by instance. */
  private readonly removals = new Map<string, Promise<void>>();
  /** Shared by all removals. */
  private readonly workers = new Semaphore({
    places: MAX_CONCURRENT_REMOVALS,
    busyMessage: 'Other connections of dead instances are being removed.',
  });

  constructor(
    private readonly database: Database,
    private readonly leases: DeadInstanceLeases,
    private readonly lost: LostConnections,
    intervals: TaskIntervals,
  ) {
    this.workers.waitTimeoutMs = MAX_WAIT_MS;
    this.task = new RecurringTask(DeadInstances.name, intervals.of(CHECK_INTERVAL_MS), () =>
      runAsReservedBackgroundWork(() => this.removeDeadInstances()),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
    await Promise.all(this.removals.values());
  }

  /**
   * Starts the removal of each dead instance and does not wait for it, so that another one that dies meanwhile is
   * removed at the same time. Several survivors may work on the same instance.
   */
  private async removeDeadInstances(): Promise<void> {
    const dead = await this.database.system((tx) => this.leases.mark(tx));
    for (const instance of dead) {
      if (this.removals.has(instance.id)) continue;
      const removal = this.removeInstance(instance)
        .catch((error: unknown) => this.logger.error(error, `Instance ${instance.id} could not be removed`))
        .finally(() => this.removals.delete(instance.id));
      this.removals.set(instance.id, removal);
    }
  }

  /** Agents first, because new calls could be assigned to them; then active calls, then the waiting ones. */
  private async removeInstance(instance: DeadInstance): Promise<void> {
    let count = 0;
    const lost = await this.lost.find(instance);
    const users = lost.filter(({ user_id }) => user_id !== null);
    const customers = lost.filter(({ user_id }) => user_id === null);
    count += await this.work(users, (user) => this.lost.disconnect(instance, user));
    count += await this.tryRemove(customers, (ones) => this.lost.removeOfEndedCalls(instance, ones));
    count += await this.work(batchesOf(customers), ({ tenant_id, call_ids }) =>
      this.lost.disconnectCustomers(instance, tenant_id, call_ids),
    );
    // Those whose calls were locked.
    count += await this.work(await this.lost.find(instance), (participant) =>
      this.lost.disconnect(instance, participant),
    );
    if (this.task.isStopped) return;
    const isRemoved = await this.database.system((tx) => this.leases.removeEmpty(tx, instance.id));
    if (isRemoved && count > 0) {
      this.logger.warn(`Instance ${instance.id} is dead; ${count} connections removed`);
    }
  }

  /** @returns the sum of the numbers of connections that `remove` has removed for each item */
  private async work<Item>(items: Item[], remove: (item: Item) => Promise<number>): Promise<number> {
    let count = 0;
    const remaining = items.values();
    const work = async () => {
      for (const item of remaining) {
        if (this.task.isStopped) return;
        const removed = await this.tryRemove(item, (one) => this.workers.run(() => remove(one)));
        count += removed;
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_REMOVALS }, work));
    return count;
  }

  /** A call that cannot be locked in time must not hold up the others; the next check tries it again. */
  private async tryRemove<Item>(item: Item, remove: (item: Item) => Promise<number>): Promise<number> {
    try {
      return await remove(item);
    } catch (error) {
      this.logger.error(error, 'Connections of a dead instance could not be removed');
      return 0;
    }
  }
}

interface Batch {
  tenant_id: string;
  call_ids: string[];
}

/** Batches of customers of one tenant each, in their order. */
function batchesOf(customers: LostParticipant[]): Batch[] {
  const batches: Batch[] = [];
  const open = new Map<string, Batch>();
  for (const { tenant_id, call_id } of customers) {
    let batch = open.get(tenant_id);
    if (!batch || batch.call_ids.length >= BATCH_SIZE) {
      batch = { tenant_id, call_ids: [] };
      open.set(tenant_id, batch);
      batches.push(batch);
    }
    if (call_id !== null) batch.call_ids.push(call_id);
  }
  return batches;
}
