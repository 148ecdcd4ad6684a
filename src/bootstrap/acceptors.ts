import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';

/**
 * How many listening sockets share the port. libuv accepts one connection of each in a turn of the event loop, so with one
 * socket a busy service accepts a hundred connections a second, and thousands that reconnect wait for half a minute.
 */
const LISTENING_SOCKETS = 16;

/**
 * Connections that the operating system keeps for each listening socket until the service accepts them. The client of a
 * connection that does not fit tries again after 1, 3 and 7 s.
 */
const BACKLOG = 1024;

interface Address {
  /** 0 for any free port. */
  port: number;
  host: string;
}

/**
 * Listens for the connections of an HTTP server with several sockets that share its port (SO_REUSEPORT). Only Linux
 * distributes connections between such sockets; elsewhere there is one.
 */
export class Acceptors {
  private acceptors: NetServer[] = [];

  constructor(private readonly server: Server) {}

  /** @throws Error if the address is in use or not of this machine */
  async listen(address: Address): Promise<void> {
    if (process.platform !== 'linux') return listen(this.server, { ...address, backlog: BACKLOG });
    // Any process of the same user could share the port: a second service must fail to start as it would without that.
    const shared = { host: address.host, port: await freePort(address), backlog: BACKLOG, reusePort: true };
    await listen(this.server, shared);
    this.acceptors = Array.from({ length: LISTENING_SOCKETS - 1 }, () => this.createAcceptor());
    await Promise.all(this.acceptors.map((acceptor) => listen(acceptor, shared)));
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

/** Binds the address alone for a moment. @returns its port */
async function freePort(address: Address): Promise<number> {
  const probe = createServer();
  await listen(probe, address);
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function listen(
  server: NetServer,
  options: Address & { backlog?: number; reusePort?: boolean },
): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}
