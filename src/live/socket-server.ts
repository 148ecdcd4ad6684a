import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import type { Server } from 'socket.io';
import type { LiveSocket } from './socket.types';

/** Gives providers other than the gateway access to the Socket.IO server, once the gateway has attached it. */
@Injectable()
export class SocketServer {
  private server: Server | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  attach(server: Server): void {
    this.server = server;
  }

  get io(): Server {
    if (!this.server) throw new Error('The socket server has not been started');
    return this.server;
  }

  get isUp(): boolean {
    return this.server !== undefined;
  }

  /** The open sockets of this instance. */
  localSockets(): LiveSocket[] {
    return [...this.io.sockets.sockets.values()] as LiveSocket[];
  }

  /** The sockets of a room that are connected to this instance. */
  localSocketsIn(room: string): LiveSocket[] {
    const { sockets, adapter } = this.io.sockets;
    const found: LiveSocket[] = [];
    for (const id of adapter.rooms.get(room) ?? []) {
      const socket = sockets.get(id) as LiveSocket | undefined;
      if (socket) found.push(socket);
    }
    return found;
  }

  /** Whether sockets may be connected to other instances. */
  get hasOtherInstances(): boolean {
    return Boolean(this.config.redisUrl);
  }

  /** Whether a socket in the room is connected to this instance. */
  hasLocalSocketIn(room: string): boolean {
    return this.io.sockets.adapter.rooms.has(room);
  }

  /** Whether a message to the rooms may reach a socket. With Redis it may be connected to another instance. */
  mayHaveSocketsIn(names: string[]): boolean {
    return this.hasOtherInstances || names.some((name) => this.hasLocalSocketIn(name));
  }

  /** Emits an event to the other instances. Without Redis there are none. */
  notifyOtherInstances(event: string, payload: unknown): void {
    if (this.hasOtherInstances) this.io.serverSideEmit(event, payload);
  }
}
