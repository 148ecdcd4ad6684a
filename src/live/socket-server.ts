import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import type { Server } from 'socket.io';

type RoomSockets = Pick<ReturnType<Server['in']>, 'socketsLeave' | 'disconnectSockets'>;

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

  /**
   * Does something to the sockets of a room, here at once, elsewhere over Redis. The Redis adapter does even
   * what is here by message, and so not at all while Redis is away.
   */
  everywhere(room: string, act: (sockets: RoomSockets) => void): void {
    act(this.io.local.in(room));
    if (this.config.redisUrl) act(this.io.in(room));
  }

  /** Tells the other instances something; without Redis there are none. */
  tellOthers(event: string, payload: unknown): void {
    if (this.config.redisUrl) this.io.serverSideEmit(event, payload);
  }
}
