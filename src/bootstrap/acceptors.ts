import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { listenShared, SHARES_PORTS } from './shared-port';
import type { StartupServer } from './startup-server';

/**
 * How many listening sockets share the port. libuv accepts one connection of each in a turn of the event loop, so with one
 * socket a busy service accepts a hundred connections a second, and thousands that reconnect wait for half a minute.
 */
const LISTENING_SOCKETS = 16;

/**
 * Accepts the connections of an HTTP server with several sockets that share its port. Where sockets cannot, there is one.
 */
export class Acceptors {
  private acceptors: NetServer[] = [];

  constructor(private readonly server: Server) {}

  /**
   * Listens at the address of the server that has answered during the start. That one's socket becomes one of the sockets:
   * closing it would reset the connections that it has not accepted yet.
   */
  async takeOver(startup: StartupServer): Promise<void> {
    const { address } = startup;
    if (!SHARES_PORTS) {
      await startup.close();
      return listenShared(this.server, address);
    }
    await listenShared(this.server, address);
    const acceptors = Array.from({ length: LISTENING_SOCKETS - 2 }, () => this.createAcceptor());
    await Promise.all(acceptors.map((acceptor) => listenShared(acceptor, address)));
    this.acceptors = [...acceptors, startup.redirectTo(this.server)];
  }

  /** Stops accepting connections at the other sockets. @returns a promise that resolves when all of them have ended */
  async close(): Promise<void> {
    const closing = this.acceptors.map((acceptor) => once(acceptor, 'close'));
    for (const acceptor of this.acceptors) acceptor.close();
    await Promise.all(closing);
  }

  private createAcceptor(): NetServer {
    // The options of an HTTP server's own socket.
    const options = { allowHalfOpen: true, noDelay: true };
    return createServer(options, (socket: Socket) => this.server.emit('connection', socket));
  }
}
