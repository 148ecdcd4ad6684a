import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { runAsReservedBackgroundWork } from '../platform/logging/request-context';
import { RecurringTask } from '../platform/jobs/recurring-task';
import { TaskIntervals } from '../platform/jobs/task-intervals';
import { Connections } from '../presence/connections';
import { InstanceHeartbeat } from '../presence/instance-heartbeat';
import { LiveConnections } from './live-connections';
import { LiveSockets } from './live-sockets';
import { RoomSync } from './room-sync';
import { isExpiryToTell, isRenewalOverdue } from './socket-authentication';
import type { LiveSocket } from './socket.types';
import { SocketServer } from './socket-server';
import { StaffBroadcast } from './broadcasts/staff-broadcast';

/** Revocations take effect within 5 s; the rest of that time is for the run itself. */
const RECONCILE_INTERVAL_MS = 4000;

/** Sockets whose leases are acquired again at the same time; those of customers are written together. */
const BATCH_SIZE = 50;

/**
 * Compares the open sockets of this instance with the database, so that a lost event has no lasting effect: it
 * disconnects sockets whose session has ended, tells of tokens that expire, corrects rooms and removes leases without a socket.
 */
@Injectable()
export class SocketReconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SocketReconciler.name);
  private readonly task: RecurringTask;
  /** Other instances presumed this one dead and removed its leases, but its sockets are still open. */
  private hasLostLeases = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly instance: InstanceHeartbeat,
    private readonly leases: Connections,
    private readonly connections: LiveConnections,
    private readonly sockets: LiveSockets,
    private readonly server: SocketServer,
    private readonly roomSync: RoomSync,
    private readonly staff: StaffBroadcast,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(SocketReconciler.name, intervals.of(RECONCILE_INTERVAL_MS), () =>
      runAsReservedBackgroundWork(() => this.reconcile()),
    );
  }

  onApplicationBootstrap(): void {
    this.instance.onLeaseLost(() => {
      this.hasLostLeases = true;
    });
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** Runs all steps, even if one of them fails. */
  async reconcile(): Promise<void> {
    if (!this.server.isUp) return;
    this.checkTokens();
    await this.attempt('leases lost', () => this.reacquireLostLeases());
    await this.attempt('ended sessions', () => this.staff.disconnectBlocked(this.server.localSockets()));
    await this.attempt('rooms', () => this.roomSync.sync(this.server.localSockets()));
    await this.attempt('leases without a socket', () => this.removeOrphanedLeases());
  }

  /** @returns whether the step succeeded */
  private async attempt(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.logger.error(error, `Reconciling ${what} failed`);
      return false;
    }
  }

  /** Tells sockets that their token expires soon, and disconnects those that have not renewed it in time. */
  private checkTokens(): void {
    for (const socket of this.server.localSockets()) {
      if (isRenewalOverdue(socket)) socket.disconnect(true);
      else if (isExpiryToTell(socket)) this.tellExpiry(socket);
    }
  }

  private tellExpiry(socket: LiveSocket): void {
    const { expires_at } = socket.data;
    socket.data.told_expiry = expires_at;
    socket.emit('token_expiring', {
      expires_at: new Date(expires_at).toISOString(),
      at: this.clock.now().toISOString(),
    });
  }

  /** A lease without a socket would keep an agent online, or a customer in a call, forever. */
  private async removeOrphanedLeases(): Promise<void> {
    const leased = await this.database.system((tx) => this.leases.ofThisInstance(tx));
    for (const { socket_id, tenant_id } of leased) {
      if (this.server.hasLocalSocket(socket_id)) continue;
      await this.attempt('a lease without a socket', () => this.connections.disconnect(tenant_id, socket_id));
    }
  }

  /** Acquiring an existing lease changes nothing, so all are acquired again until every one has succeeded. */
  private async reacquireLostLeases(): Promise<void> {
    if (!this.hasLostLeases) return;
    this.hasLostLeases = false;
    const sockets = this.server.localSockets();
    for (let at = 0; at < sockets.length; at += BATCH_SIZE) {
      await Promise.all(sockets.slice(at, at + BATCH_SIZE).map((socket) => this.reacquireLostLease(socket)));
    }
  }

  private async reacquireLostLease(socket: LiveSocket): Promise<void> {
    await socket.data.opening;
    const isReacquired = await this.attempt('a lost lease', () => this.sockets.reacquireLease(socket));
    if (!isReacquired) this.hasLostLeases = true;
    if (socket.disconnected) this.sockets.close(socket);
  }
}
