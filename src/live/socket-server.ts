import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { type BroadcastOperator, type DefaultEventsMap, type Namespace, Server } from 'socket.io';
import type { LiveSocket } from './socket.types';

type Room = string | string[];
type Operator = BroadcastOperator<DefaultEventsMap, unknown>;

/**
 * Gives providers other than the gateways access to the sockets, once the gateways have attached their namespaces. A client
 * is in one of two namespaces, by the way in which it connects.
 */
@Injectable()
export class SocketServer {
  private server: Server | undefined;
  private readonly namespaces = new Set<Namespace>();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  attach(server: Server | Namespace): void {
    if (server instanceof Server) this.server = server;
    this.namespaces.add(server instanceof Server ? server.sockets : server);
  }

  get isUp(): boolean {
    return this.server !== undefined;
  }

  /** Sends an event to the sockets of the rooms, on all instances; to none without a room, where Socket.IO would take all. @param except room or socket that does not get it */
  emitTo(to: Room, name: string, payload: object, except?: Room): void {
    if (to.length > 0) this.emit((namespace) => namespace.to(to), name, payload, except);
  }

  /** As emitTo, to the sockets of this instance. */
  emitLocally(to: Room, name: string, payload: object, except?: Room): void {
    if (to.length > 0) this.emit((namespace) => namespace.local.to(to), name, payload, except);
  }

  private emit(
    select: (namespace: Namespace) => Operator,
    name: string,
    payload: object,
    except?: Room,
  ): void {
    for (const namespace of this.namespaces) {
      const selected = select(namespace);
      (except === undefined ? selected : selected.except(except)).emit(name, payload);
    }
  }

  /** Disconnects the sockets with these ids, on all instances. */
  disconnect(ids: string[]): void {
    for (const namespace of this.namespaces) namespace.in(ids).disconnectSockets(true);
  }

  /** The open sockets of this instance. */
  localSockets(): LiveSocket[] {
    return [...this.namespaces].flatMap(({ sockets }) => [...sockets.values()] as LiveSocket[]);
  }

  /** The sockets of a room that are connected to this instance. */
  localSocketsIn(room: string): LiveSocket[] {
    return [...this.namespaces].flatMap(({ adapter, sockets }) =>
      [...(adapter.rooms.get(room) ?? [])].flatMap((id) => (sockets.get(id) as LiveSocket | undefined) ?? []),
    );
  }

  /** Whether a socket with this id is open on this instance. */
  hasLocalSocket(id: string): boolean {
    return [...this.namespaces].some(({ sockets }) => sockets.has(id));
  }

  /** Whether sockets may be connected to other instances. */
  get hasOtherInstances(): boolean {
    return Boolean(this.config.redisUrl);
  }

  /** Whether a socket in the room is connected to this instance. */
  hasLocalSocketIn(room: string): boolean {
    return [...this.namespaces].some(({ adapter }) => adapter.rooms.has(room));
  }

  /** Whether a message to the rooms may reach a socket. With Redis it may be connected to another instance. */
  mayHaveSocketsIn(names: string[]): boolean {
    return this.hasOtherInstances || names.some((name) => this.hasLocalSocketIn(name));
  }

  /** Emits an event to the other instances. Without Redis there are none. */
  notifyOtherInstances(event: string, payload: unknown): void {
    if (this.hasOtherInstances) this.server?.serverSideEmit(event, payload);
  }

  /** Listens to an event that another instance emits. Call it when the server is up. */
  onOtherInstance<Payload>(event: string, listener: (payload: Payload) => void): void {
    this.server?.on(event, listener);
  }
}
