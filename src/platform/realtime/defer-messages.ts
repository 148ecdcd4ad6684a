import type { Server } from 'socket.io';

type WebSocketEngine = new (options: object) => object;

/**
 * Handles one message of a WebSocket in each turn of the event loop. By default all messages that have arrived are handled
 * in the same turn, so that a burst of large ones blocks the loop. Call it before the server listens.
 */
export function deferMessages(server: Server): void {
  const { opts } = server.engine as unknown as { opts: { wsEngine: WebSocketEngine } };
  const Engine = opts.wsEngine;
  opts.wsEngine = class extends Engine {
    constructor(options: object) {
      super({ ...options, allowSynchronousEvents: false });
    }
  };
}
