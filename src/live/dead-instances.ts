import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Reconnection } from '../calls/machine/reconnection';
import { Semaphore } from '../platform/database/connections/semaphore';
import { Database } from '../platform/database/database';
import { settleAll } from '../platform/database/settle-all';
import { runAsReservedBackgroundWork } from '../platform/logging/request-context';
import { RecurringTask } from '../platform/jobs/recurring-task';
import { TaskIntervals } from '../platform/jobs/task-intervals';
import { type Connection, Connections, type LostParticipant } from '../presence/connections';
import { type DeadInstance, DeadInstanceLeases } from '../presence/dead-instance-leases';
import { LiveConnections } from './live-connections';

const CHECK_INTERVAL_MS = 2000;
/** Each worker holds the locks of one customer or user at a time. */
const WORKERS = 2;
/** Longer than a removal takes: a participant waits for a worker while those before it are handled. */
const MAX_WAIT_MS = 600_000;

/**
 * Removes dead instances and handles their connections as disconnected: one customer or user in a transaction, because an
 * instance can have thousands of connections, and one transaction would lock all of their calls for seconds.
 */
@Injectable()
export class DeadInstances implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeadInstances.name);
  private readonly task: RecurringTask;
  /** The removals in progress, by instance. */
  private readonly removals = new Map<string, Promise<void>>();
  /** Shared by all removals. */
  private readonly workers = new Semaphore(WORKERS, 'Other connections of dead instances are being removed.');

  constructor(
    private readonly database: Database,
    private readonly leases: DeadInstanceLeases,
    private readonly connections: Connections,
    private readonly reconnection: Reconnection,
    private readonly live: LiveConnections,
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
    let count = await this.removeOfEndedCalls(instance);
    const lost = await this.database.system((tx) => this.connections.participantsOf(tx, instance.id));
    const users = lost.filter(({ user_id }) => user_id !== null);
    const customers = lost.filter(({ user_id }) => user_id === null);
    for (const participants of [users, customers]) count += await this.disconnectAll(instance, participants);
    if (this.task.isStopped) return;
    const isRemoved = await this.database.system((tx) => this.leases.removeEmpty(tx, instance.id));
    if (isRemoved && count > 0) {
      this.logger.warn(`Instance ${instance.id} is dead; ${count} connections removed`);
    }
  }

  /** @returns the number of removed connections */
  private removeOfEndedCalls(instance: DeadInstance): Promise<number> {
    return this.database.system(async (tx) => {
      const [, count] = await settleAll([
        this.leases.lockMark(tx, instance.id).then(() => 0),
        this.connections.closeOfEndedCalls(tx, instance.id),
      ]);
      return count ?? 0;
    });
  }

  /** @returns the number of removed connections */
  private async disconnectAll(instance: DeadInstance, participants: LostParticipant[]): Promise<number> {
    let count = 0;
    const remaining = participants.values();
    const work = async () => {
      for (const participant of remaining) {
        if (this.task.isStopped) return;
        count += await this.workers.run(() => this.tryDisconnect(instance, participant));
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return count;
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

  /** @returns the number of removed connections */
  private disconnect(instance: DeadInstance, participant: LostParticipant): Promise<number> {
    return this.database.tenant(participant.tenant_id, async (tx) => {
      const { tenant_id, call_id, user_id } = participant;
      if (user_id !== null) await this.reconnection.lockCallsOfAgent(tx, tenant_id, user_id);
      // The connection pipelines these statements. The mark is locked after the call, so that an instance that is alive
      // again does not wait for the call.
      const sent: Promise<Connection[] | void>[] = [this.leases.commitWithoutFlush(tx)];
      if (call_id !== null) sent.push(this.reconnection.lockCall(tx, call_id));
      sent.push(this.leases.lockMark(tx, instance.id));
      sent.push(this.connections.closeOfInstance(tx, instance.id, participant));
      const closed = (await settleAll(sent)).at(-1) ?? [];
      await this.live.handleClosed(tx, closed, instance.last_seen);
      return closed.length;
    });
  }
}
