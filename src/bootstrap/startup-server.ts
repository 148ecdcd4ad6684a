import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { busyRetryAfter } from '../platform/http/errors/retry-after';
import { type Address, findFreePort, listenShared } from './shared-port';

/**
 * Answers requests while the service starts, which takes as long as the migrations of its database: the process is alive
 * but not ready, so that an orchestrator neither restarts it nor sends requests to it.
 */
export class StartupServer {
  private constructor(
    private readonly server: Server,
    /** With the port that was chosen if any was allowed. */
    readonly address: Address,
  ) {}

  /** @throws Error if the address is in use or not of this machine */
  static async listen({ port, host }: Address): Promise<StartupServer> {
    const server = createServer(answer);
    await listenShared(server, { host, port: await findFreePort({ port, host }) });
    return new StartupServer(server, { host, port: (server.address() as AddressInfo).port });
  }

  /** Lets another server handle all further connections. @returns this one, to be closed together with the other */
  redirectTo(target: Server): Server {
    this.server.removeAllListeners('connection');
    return this.server.on('connection', (socket: Socket) => target.emit('connection', socket));
  }

  /** Stops accepting connections; does nothing if that has already been done. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

const answer: RequestListener = ({ url = '' }, response) => {
  const path = url.split('?', 1)[0];
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  // The connection would otherwise remain with this server.
  response.setHeader('Connection', 'close');
  if (path === '/healthz') {
    response.end(JSON.stringify({ data: { status: 'ok', details: {} } }));
    return;
  }
  const code = path === '/readyz' ? 'not_ready' : 'unavailable';
  response.writeHead(503, { 'Retry-After': busyRetryAfter() });
  response.end(JSON.stringify({ errors: { detail: 'The service is starting.', code } }));
};
