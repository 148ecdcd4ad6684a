import { Injectable } from '@nestjs/common';
import type { Server } from 'socket.io';

/** The Socket.IO server, for those who send without being a gateway. Set once the gateway is up. */
@Injectable()
export class SocketServer {
  private server: Server | undefined;

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
}
