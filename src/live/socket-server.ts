import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import type { Server } from 'socket.io';
import type { LiveSocket } from './socket.types';

/** The Socket.IO server, for those who send without being a gateway. Set once the gateway is up. */
@Injectable()
export class SocketServer {
  private server: Server | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  attach(server: Server): void {
    this.server = server;
  }

  get io(): Server {
    if (!this.server) throw new Error('The socket server is not up yet');
    return this.server;
  }

  get isUp(): boolean {
    return this.server !== undefined;
  }

  /** The open sockets of this instance. */
  local(): LiveSocket[] {
    return [...this.io.sockets.sockets.values()] as LiveSocket[];
  }

  /** The sockets of a room that are connected to this instance. */
  localSockets(room: string): LiveSocket[] {
    const { sockets, adapter } = this.io.sockets;
    return [...(adapter.rooms.get(room) ?? [])].flatMap(
      (id) => (sockets.get(id) as LiveSocket | undefined) ?? [],
    );
  }

  /** Tells the other instances something; without Redis there are none. */
  tellOthers(event: string, payload: unknown): void {
    if (this.config.redisUrl) this.io.serverSideEmit(event, payload);
  }
}
