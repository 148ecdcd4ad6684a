import { readFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** Key and certificate of HTTPS servers, valid for the name hooks.test only. */
export const CERTIFICATE = readFileSync(join(__dirname, '..', '..', 'fixtures', 'hooks.test.pem'), 'utf8');

/** Resolves every name to loopback. */
export const resolveToLoopback = async () => [{ address: '127.0.0.1', family: 4 }];

/** Servers on loopback that are stopped together. */
export class Loopback {
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();

  /** @returns the port */
  http(onRequest: RequestListener, address = '127.0.0.1', port = 0): Promise<number> {
    return this.listen(createHttp(onRequest), address, port);
  }

  /** @returns the port */
  https(onRequest: RequestListener): Promise<number> {
    return this.listen(createHttps({ key: CERTIFICATE, cert: CERTIFICATE }, onRequest), '127.0.0.1', 0);
  }

  /** @returns the port */
  tcp(onConnection: (socket: Socket) => void): Promise<number> {
    return this.listen(createTcp(onConnection), '127.0.0.1', 0);
  }

  /** Stops all servers and closes their connections. */
  async stop(): Promise<void> {
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(closed);
  }

  private async listen(server: Server, address: string, port: number): Promise<number> {
    this.servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      // Tests make clients close connections.
      socket.on('error', () => {}).on('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    return (server.address() as AddressInfo).port;
  }
}
