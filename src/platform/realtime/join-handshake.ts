import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Server } from 'socket.io';

type WebSocketEngine = new (options: object) => {
  handleUpgrade(request: IncomingMessage, socket: Duplex, ...rest: unknown[]): void;
};

/**
 * Writes the response to the handshake of a WebSocket and the first packet of Engine.IO, which follows at once, together:
 * each write is a system call. Call it before the server listens.
 */
export function joinHandshake(server: Server): void {
  const { opts } = server.engine as unknown as { opts: { wsEngine: WebSocketEngine } };
  const Engine = opts.wsEngine;
  opts.wsEngine = class extends Engine {
    override handleUpgrade(request: IncomingMessage, socket: Duplex, ...rest: unknown[]): void {
      socket.cork();
      setImmediate(() => socket.uncork());
      super.handleUpgrade(request, socket, ...rest);
    }
  };
}
