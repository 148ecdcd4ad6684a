import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SessionStates } from '../identity/session-states';
import { Database } from '../platform/database/database';
import { Recurring } from '../platform/jobs/recurring';
import { Connections } from '../presence/connections';
import { Instance } from '../presence/instance';
import { LiveConnections } from './live-connections';
import { LiveSockets } from './live-sockets';
import { isOverdue } from './socket-authentication';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

const EVERY_MS = 5000;

/**
 * Holds the open sockets of this instance against what the database says of them, so that nothing depends
 * on a message that got lost: sockets whose session is over are cut, leases without a socket are settled.
 */
@Injectable()
export class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Upkeep.name);
  private readonly recurring = new Recurring(Upkeep.name, EVERY_MS, () => this.tidy());
  /** Others held this instance for dead and settled its leases, though its sockets are very much there. */
  private leasesAreLost = false;

  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStates,
    private readonly instance: Instance,
    private readonly leases: Connections,
    private readonly connections: LiveConnections,
    private readonly sockets: LiveSockets,
    private readonly server: SocketServer,
  ) {}

  onApplicationBootstrap(): void {
    this.instance.onRevived(async () => {
      this.leasesAreLost = true;
      await this.tidy();
    });
    this.recurring.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.recurring.stop();
  }

  async tidy(): Promise<void> {
    if (!this.server.isUp) return;
    await this.cutEnded();
    const leased = await this.database.system((tx) => this.leases.ofThisInstance(tx));
    await this.settleGhosts(leased);
    if (this.leasesAreLost) await this.reenterMissing(new Set(leased.map((lease) => lease.socket_id)));
  }

  private async cutEnded(): Promise<void> {
    const staff = this.sockets
      .local()
      .flatMap((socket) =>
        socket.data.kind === 'staff' ? [{ socket, id: socket.data.user.session_id }] : [],
      );
    const ended = new Set(await this.sessions.endedAmong(staff.map(({ id }) => id)));
    for (const { socket, id } of staff) {
      if (ended.has(id)) socket.disconnect(true);
    }
    for (const socket of this.sockets.local()) {
      if (isOverdue(socket)) socket.disconnect(true);
    }
  }

  /** A lease whose socket is gone would keep an agent online, or a customer in a call, for ever. */
  private async settleGhosts(leased: { socket_id: string; tenant_id: string }[]): Promise<void> {
    const open = this.server.io.sockets.sockets;
    for (const { socket_id, tenant_id } of leased) {
      if (!open.has(socket_id)) await this.connections.close(tenant_id, socket_id);
    }
  }

  private async reenterMissing(leased: Set<string>): Promise<void> {
    this.leasesAreLost = false;
    for (const socket of this.sockets.local()) {
      if (!leased.has(socket.id)) await this.reenter(socket);
    }
  }

  private async reenter(socket: LiveSocket): Promise<void> {
    try {
      await this.sockets.reenter(socket);
      if (socket.disconnected) this.sockets.close(socket);
    } catch (error) {
      this.logger.error(error, 'A connection could not be entered again');
      this.leasesAreLost = true;
    }
  }
}
