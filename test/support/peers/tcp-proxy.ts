import { connect, type Socket } from 'node:net';
import { Loopback } from '../service/loopback';

/** Forwards TCP connections on loopback, until it is frozen: like a network partition that drops all packets. */
export class TcpProxy {
  private readonly loopback = new Loopback();
  private readonly sockets = new Set<Socket>();
  private isFrozen = false;
  port = 0;

  /** Starts a proxy to this port of loopback. */
  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy();
    proxy.port = await proxy.loopback.tcp((client) => proxy.forward(client, targetPort));
    return proxy;
  }

  /** Nothing is forwarded any more, but all connections stay open and further ones are accepted. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Forwards further connections. Those that were open before stay silent. */
  thaw(): void {
    this.isFrozen = false;
  }

  /** Closes all connections. */
  reset(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.reset();
    await this.loopback.stop();
  }

  private forward(client: Socket, targetPort: number): void {
    if (this.isFrozen) {
      this.sockets.add(client.pause());
      return;
    }
    const server = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from
        .on('error', () => {})
        .on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
    }
  }
}
