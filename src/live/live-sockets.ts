import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Call } from '../calls/call.entity';
import { Queue } from '../calls/queue/queue';
import { notFound } from '../platform/http/errors/api-error';
import { toApiError } from '../platform/http/errors/to-api-error';
import { Clock } from '../platform/clock/clock';
import { announceReconnection } from './call-broadcast';
import { LiveConnections } from './live-connections';
import { RoomSync } from './room-sync';
import { callsJoined, rooms, watchRooms } from './rooms';
import { type CustomerSnapshot, Snapshots, type StaffSnapshot } from './snapshots';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

/** The life of a socket, from its lease over its snapshot and rooms to its end. */
@Injectable()
export class LiveSockets implements OnModuleDestroy {
  private readonly logger = new Logger(LiveSockets.name);
  private readonly endings = new Set<Promise<void>>();

  constructor(
    private readonly connections: LiveConnections,
    private readonly snapshots: Snapshots,
    private readonly keeping: RoomSync,
    private readonly queue: Queue,
    private readonly sockets: SocketServer,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.disconnectAll();
  }

  /**
   * Sends everybody to reconnect: closing the transport, not the socket, is what makes a client come
   * back by itself. Then waits until every end is recorded.
   */
  async disconnectAll(): Promise<void> {
    if (!this.sockets.isUp) return;
    for (const socket of this.sockets.local()) socket.conn.close();
    while (this.endings.size > 0) await Promise.all(this.endings);
  }

  /** Enters a connection: its lease first, then the snapshot and the rooms. */
  async open(socket: LiveSocket): Promise<void> {
    try {
      const returned = await this.lease(socket);
      const first = await this.snapshots.of(socket);
      // In one go: nothing is heard before the snapshot, and nothing is missed after it.
      this.sendSnapshot(socket, first);
      await socket.join(roomsAround(socket, first));
      await this.settleRooms(socket);
      // Whatever changed before the rooms were entered would otherwise be missed.
      const second = await this.snapshots.of(socket);
      if (!isDeepStrictEqual(first, second)) this.sendSnapshot(socket, second);
      if (returned) announceReconnection(socket, returned, 'customer');
      await this.sendPosition(socket, second);
    } catch (error) {
      this.logger.error(error, 'A connection could not be entered');
      // Closing the transport lets the client try again by itself; a disconnect is the last word.
      if (toApiError(error).getStatus() < 500) socket.disconnect(true);
      else socket.conn.close();
    }
  }

  /** @returns the call to which this brought its customer back in time, if it did */
  private async lease(socket: LiveSocket): Promise<Call | undefined> {
    const { data } = socket;
    if (data.kind === 'staff') {
      await this.connections.openStaff(data.user.tenant_id, data.user.user_id, socket.id);
      return undefined;
    }
    const { tenant_id, call_id } = data.customer;
    const { call, cameBack } = await this.connections.openInCall(tenant_id, call_id, null, socket.id);
    return cameBack ? call : undefined;
  }

  /** Puts right what changed while the snapshot was made; from the user's own room on, such news reach the socket. */
  private async settleRooms(socket: LiveSocket): Promise<void> {
    await this.keeping.sync([socket]);
    // A socket that left meanwhile is in no room, and nothing would ever take it out again.
    if (socket.disconnected) socket.nsp.adapter.delAll(socket.id);
  }

  private sendSnapshot(socket: LiveSocket, snapshot: CustomerSnapshot | StaffSnapshot): void {
    socket.emit('snapshot', { ...snapshot, at: this.clock.now().toISOString() });
  }

  private async sendPosition(socket: LiveSocket, snapshot: CustomerSnapshot | StaffSnapshot): Promise<void> {
    const { data } = socket;
    if (data.kind !== 'customer' || !('position' in snapshot) || snapshot.status !== 'queued') return;
    const { call_id, position, estimated_wait_time, version } = snapshot;
    const queue_size = await this.queue.queueSizeOf(data.customer.tenant_id, call_id);
    // A broadcast that came first knows better than the snapshot does.
    if (data.told) return;
    data.told = { position, estimated_wait_time };
    const at = this.clock.now().toISOString();
    socket.emit('queue_position', { call_id, position, estimated_wait_time, queue_size, version, at });
  }

  /** The socket is gone; its lease ends once it has begun. */
  close(socket: LiveSocket): void {
    const { data } = socket;
    const tenantId = data.kind === 'staff' ? data.user.tenant_id : data.customer.tenant_id;
    const ending = (async () => {
      await data.opening;
      await this.connections.close(tenantId, socket.id);
    })()
      .catch((error: unknown) => this.logger.error(error, 'The end of a connection could not be recorded'))
      .finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  /** Enters the leases of an open socket once more: others held this instance for dead and settled them. */
  async reacquireLease(socket: LiveSocket): Promise<void> {
    await this.lease(socket);
    const { data } = socket;
    if (data.kind !== 'staff') return;
    const { tenant_id, user_id } = data.user;
    // Calls that were handed over meanwhile are not among the rooms any more.
    await this.keeping.sync([socket]);
    for (const callId of callsJoined(socket.rooms)) {
      await this.connections.openInCall(tenant_id, callId, user_id, socket.id, (call) => {
        if (call.user_id !== user_id) throw notFound('Call');
      });
    }
  }
}

/** The rooms in which a socket hears of whatever changes in its snapshot, and of colleagues. */
function roomsAround({ data }: LiveSocket, snapshot: CustomerSnapshot | StaffSnapshot): string[] {
  if (data.kind === 'customer') return [rooms.customerOf(data.customer.call_id)];
  const { tenant_id, user_id, session_id, role } = data.user;
  const departments = 'queues' in snapshot ? snapshot.queues.map((queue) => queue.department_id) : [];
  return [rooms.user(user_id), rooms.session(session_id), ...watchRooms(tenant_id, role, departments)];
}
