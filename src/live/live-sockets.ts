import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Call } from '../calls/call.entity';
import { Queue, type QueuePosition } from '../calls/queue/queue';
import { notFound } from '../platform/http/errors/api-error';
import { toApiError } from '../platform/http/errors/to-api-error';
import { runAsBackgroundWork, setConnectionKind } from '../platform/logging/request-context';
import { Clock } from '../platform/clock/clock';
import { announceReconnection, disconnectTakenOver } from './broadcasts/call-messages';
import { ClosingBroadcast } from './broadcasts/closing-broadcast';
import { takeTurn } from './conversation/long-chat-turns';
import { CustomerLeases } from './leases/customer-leases';
import { LiveConnections } from './live-connections';
import { QueuePositionSender, withNewestPosition } from './queue-position-sender';
import { readCurrent } from './snapshots/read-current';
import { RoomSync } from './room-sync';
import { DISCONNECT_INTERVAL_MS, disconnectBatchSize } from './disconnect-pace';
import { joinedCalls, rooms, watchRoomsFor } from './rooms';
import { CustomerPages } from './signals/customer-pages';
import {
  type CustomerSnapshot,
  isSameState,
  isStateOf,
  Snapshots,
  type StaffSnapshot,
} from './snapshots/snapshots';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

/** Connects and disconnects sockets: lease, snapshot and rooms. */
@Injectable()
export class LiveSockets implements OnModuleDestroy {
  private readonly logger = new Logger(LiveSockets.name);
  private readonly pendingDisconnects = new Set<Promise<void>>();

  constructor(
    private readonly connections: LiveConnections,
    private readonly leases: CustomerLeases,
    private readonly snapshots: Snapshots,
    private readonly roomSync: RoomSync,
    private readonly pages: CustomerPages,
    private readonly queue: Queue,
    private readonly positions: QueuePositionSender,
    private readonly closings: ClosingBroadcast,
    private readonly sockets: SocketServer,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.disconnectAll();
  }

  /**
   * Disconnects all clients so that they reconnect elsewhere, and waits until every disconnect is recorded. It closes
   * the transport instead of the socket, because only then does a client reconnect by itself. Those in a call are the last:
   * their connection to the other side may be about to be made.
   * @param maxDurationMs how long many sockets may take
   */
  async disconnectAll(maxDurationMs = 0): Promise<void> {
    if (!this.sockets.isUp) return;
    const sockets = this.sockets.localSockets();
    const groups = [sockets.filter((socket) => !isInCall(socket)), sockets.filter(isInCall)];
    const batchSize = disconnectBatchSize(sockets.length, maxDurationMs);
    for (const [index, { conn }] of groups.flat().entries()) {
      if (index > 0 && index % batchSize === 0) await setTimeout(DISCONNECT_INTERVAL_MS);
      conn.close();
    }
    while (this.pendingDisconnects.size > 0) await Promise.all(this.pendingDisconnects);
  }

  /**
   * Establishes a connection: acquires its lease, sends the snapshot and joins the rooms. It stops when the socket is
   * closed meanwhile, because each step costs statements.
   */
  async open(socket: LiveSocket): Promise<void> {
    try {
      const reconnectedCalls = await this.acquireLease(socket, true);
      if (socket.disconnected) return;
      // The socket has waited for a connection once. If each further read waited again, no socket would be established
      // under overload.
      setConnectionKind('reserved');
      const readMs = performance.now();
      const first = await this.snapshots.of(socket);
      await takeTurn(first);
      if (socket.disconnected) return;
      // Synchronous up to the join: no event precedes the snapshot, and none is missed after it.
      this.sendSnapshot(socket, first, readMs);
      socket.data.hasSnapshot = true;
      this.pages.place(socket);
      await socket.join(roomsFor(socket, first));
      await this.syncRooms(socket);
      if (socket.disconnected) return;
      // Events between reading the snapshot and joining the rooms were missed.
      let positionReadMs = performance.now();
      let position = await this.readPosition(socket);
      if (!position || !isStateOf(first, position)) {
        await this.resendIfChanged(socket, first);
        // The one of before the second snapshot is too old now.
        positionReadMs = performance.now();
        position = await this.readPosition(socket);
      }
      const participant = socket.data.kind === 'customer' ? 'customer' : 'agent';
      for (const call of reconnectedCalls) announceReconnection(socket, call, participant);
      if (position) this.sendPosition(socket, position, positionReadMs);
      if (position?.status === 'queued') await this.closings.inform(socket);
      else if (position) await this.pages.announce(socket, position.status);
    } catch (error) {
      this.logger.error(error, 'A connection could not be established');
      // After a closed transport the client reconnects by itself; after a disconnect it does not.
      if (toApiError(error).getStatus() < 500) socket.disconnect(true);
      else socket.conn.close();
    }
  }

  /**
   * Disconnects a customer's socket whose call was continued on another device meanwhile.
   * @param isNew false for a socket that was open all the time, by which a customer who is called back does not return
   * @returns the calls in which this connection ended the participant's grace period
   */
  private async acquireLease(socket: LiveSocket, isNew: boolean): Promise<Call[]> {
    const { data } = socket;
    if (data.kind === 'staff') {
      const { tenant_id, user_id } = data.user;
      const { reconnected, surplus } = await this.connections.connectStaff(tenant_id, user_id, socket.id);
      this.disconnectSurplus(surplus);
      return reconnected;
    }
    const { tenant_id, call_id, device } = data.customer;
    const session = data.page_session;
    const connecting = { call_id, socket_id: socket.id, session, device, is_new: isNew };
    const connected = await this.leases.connect(tenant_id, connecting);
    const { holder_session, version } = connected.call;
    this.pages.setHolder(socket, { session: holder_session, version });
    if (device < connected.call.customer_device) disconnectTakenOver(socket, this.clock.now().toISOString());
    this.disconnectSurplus(connected.surplus);
    return connected.hasReconnected ? [connected.call] : [];
  }

  /** The sockets of this instance are disconnected earlier: SocketOwners counts them without the database. */
  private disconnectSurplus(ids: string[]): void {
    if (ids.length > 0) this.sockets.disconnect(ids);
  }

  /** Corrects rooms that changed while the snapshot was read. Later changes reach the socket in its user's room. */
  private async syncRooms(socket: LiveSocket): Promise<void> {
    await this.roomSync.sync([socket]);
    // Socket.IO does not remove a socket from rooms that it joined after disconnecting.
    if (socket.disconnected) socket.nsp.adapter.delAll(socket.id);
  }

  /** @param readMs when its reading began, of performance.now */
  private sendSnapshot(socket: LiveSocket, snapshot: CustomerSnapshot | StaffSnapshot, readMs: number): void {
    const { data } = socket;
    if (data.kind === 'customer') data.positionReadMs = Math.max(readMs, data.positionReadMs ?? readMs);
    socket.emit('snapshot', { ...snapshot, at: this.clock.now().toISOString() });
  }

  private async resendIfChanged(socket: LiveSocket, first: CustomerSnapshot | StaffSnapshot): Promise<void> {
    const { state, readMs } = await readCurrent([socket], async () => {
      const begin = performance.now();
      const snapshot = await this.snapshots.of(socket);
      await takeTurn(snapshot);
      return { state: snapshot, readMs: begin };
    });
    const second = withNewestPosition(socket, state, readMs);
    if (!isSameState(first, second)) this.sendSnapshot(socket, second, readMs);
  }

  /** @returns undefined for staff */
  private async readPosition({ data }: LiveSocket): Promise<QueuePosition | undefined> {
    if (data.kind !== 'customer') return undefined;
    return this.queue.positionOf(data.customer.tenant_id, data.customer.call_id);
  }

  private sendPosition(socket: LiveSocket, position: QueuePosition, readMs: number): void {
    const { data } = socket;
    if (data.kind !== 'customer' || position.status !== 'queued') return;
    // A broadcast that was sent meanwhile may be newer than this position.
    if (!data.lastSent) this.positions.send(socket, position, true, this.clock.now().toISOString(), readMs);
  }

  /** Records a disconnect, once the connection has been established. A refused connection has nothing to record. */
  close(socket: LiveSocket): void {
    const { data } = socket;
    if (!data.opening) return;
    // The disconnect may be caused by another socket's connecting, which waits more briefly for the database.
    const disconnect = runAsBackgroundWork(async () => {
      await data.opening;
      await this.releaseLease(socket);
    })
      .catch((error: unknown) => this.logger.error(error, 'A disconnect could not be recorded'))
      .finally(() => this.pendingDisconnects.delete(disconnect));
    this.pendingDisconnects.add(disconnect);
  }

  private releaseLease({ id, data }: LiveSocket): Promise<void> {
    if (data.kind === 'staff') return this.connections.disconnect(data.user.tenant_id, id);
    const { tenant_id, call_id } = data.customer;
    return this.leases.disconnect(tenant_id, { call_id, socket_id: id });
  }

  /** Acquires the leases of an open socket again, after other instances presumed this one dead and removed them. */
  async reacquireLease(socket: LiveSocket): Promise<void> {
    await this.acquireLease(socket, false);
    const { data } = socket;
    if (data.kind !== 'staff') return;
    const { tenant_id, user_id } = data.user;
    // Leaves the rooms of calls that were handed over meanwhile.
    await this.roomSync.sync([socket]);
    const joining = { user_id, socket_id: socket.id, session: data.page_session };
    for (const callId of joinedCalls(socket.rooms)) {
      await this.connections.connectToCall(tenant_id, callId, joining, (call) => {
        if (call.user_id !== user_id) throw notFound('Call');
      });
    }
  }
}

/** Whether the socket is of a participant of a call that is assigned or active. */
const isInCall = ({ data, rooms: joined }: LiveSocket): boolean =>
  data.kind === 'staff' ? joinedCalls(joined).length > 0 : data.customer.is_in_progress;

/** The rooms in which a socket receives changes of its snapshot and of colleagues. */
function roomsFor({ data }: LiveSocket, snapshot: CustomerSnapshot | StaffSnapshot): string[] {
  if (data.kind === 'customer') return [rooms.customerOf(data.customer.call_id)];
  const { tenant_id, user_id, session_id, role } = data.user;
  const departments = 'queues' in snapshot ? snapshot.queues.map((queue) => queue.department_id) : [];
  return [rooms.user(user_id), rooms.session(session_id), ...watchRoomsFor(tenant_id, role, departments)];
}
