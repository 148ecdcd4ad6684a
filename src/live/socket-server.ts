import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import type { Server } from 'socket.io';

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

  /** Tells the other instances something; without Redis there are none. */
  tellOthers(event: string, payload: object): void {
    if (this.config.redisUrl) this.io.serverSideEmit(event, payload);
  }
}
