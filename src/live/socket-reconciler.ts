import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { RecurringTask } from '../platform/jobs/recurring-task';
import { TaskIntervals } from '../platform/jobs/task-intervals';
import { Connections } from '../presence/connections';
import { InstanceHeartbeat } from '../presence/instance-heartbeat';
import { LiveConnections } from './live-connections';
import { LiveSockets } from './live-sockets';
import { RoomSync } from './room-sync';
import { isOverdue } from './socket-authentication';
import { SocketServer } from './socket-server';
import { StaffBroadcast } from './staff-broadcast';

/** A run takes its time, too: less than the 5 s that are promised. */
const RECONCILE_INTERVAL_MS = 4000;

/**
 * Holds the open sockets of this instance against what the database says of them, so that nothing depends
 * on a message that got lost: sockets whose session is over are cut, rooms are put right, leases without a
 * socket are settled.
 */
@Injectable()
export class SocketReconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SocketReconciler.name);
  private readonly task: RecurringTask;
  /** Others held this instance for dead and settled its leases, though its sockets are very much there. */
  private leasesAreLost = false;

  constructor(
    private readonly database: Database,
    private readonly instance: InstanceHeartbeat,
    private readonly leases: Connections,
    private readonly connections: LiveConnections,
    private readonly sockets: LiveSockets,
    private readonly server: SocketServer,
    private readonly keeping: RoomSync,
    private readonly staff: StaffBroadcast,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(SocketReconciler.name, intervals.of(RECONCILE_INTERVAL_MS), () =>
      this.reconcile(),
    );
  }

  onApplicationBootstrap(): void {
    this.instance.onRevived(() => {
      this.leasesAreLost = true;
    });
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** One part that fails keeps none of the others from its turn. */
  async reconcile(): Promise<void> {
    if (!this.server.isUp) return;
    this.cutOverdue();
    await this.attempt('leases lost', () => this.reenterAll());
    await this.attempt('ended sessions', () => this.staff.cutShutOut(this.server.local()));
    await this.attempt('rooms', () => this.keeping.sync(this.server.local()));
    await this.attempt('leases without a socket', () => this.settleGhosts());
  }

  /** @returns whether it went well */
  private async attempt(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.logger.error(error, `Upkeep of ${what} failed`);
      return false;
    }
  }

  private cutOverdue(): void {
    for (const socket of this.server.local()) {
      if (isOverdue(socket)) socket.disconnect(true);
    }
  }

  /** A lease whose socket is gone would keep an agent online, or a customer in a call, for ever. */
  private async settleGhosts(): Promise<void> {
    const leased = await this.database.system((tx) => this.leases.ofThisInstance(tx));
    const open = this.server.io.sockets.sockets;
    for (const { socket_id, tenant_id } of leased) {
      if (open.has(socket_id)) continue;
      await this.attempt('a lease without a socket', () => this.connections.close(tenant_id, socket_id));
    }
  }

  /** Entering what is entered already changes nothing, so all sockets are entered until it worked for all. */
  private async reenterAll(): Promise<void> {
    if (!this.leasesAreLost) return;
    this.leasesAreLost = false;
    for (const socket of this.server.local()) {
      await socket.data.opening;
      const entered = await this.attempt('a lost lease', () => this.sockets.reacquireLease(socket));
      if (!entered) this.leasesAreLost = true;
      if (socket.disconnected) this.sockets.close(socket);
    }
  }
}
