import type { IncomingMessage } from 'node:http';
import type { Server } from 'socket.io';

/** Writes that a turn of the event loop makes at once, so that a single message is not delayed. */
const MAX_IMMEDIATE_WRITES = 4;

/** Parts of a connection of Engine.IO that its types declare private. */
interface Connection {
  /** The packets that have not been passed to the transport. */
  writeBuffer: unknown[];
  flush(): void;
  /** Of the handshake. A WebSocket continues on its stream; after an upgrade from polling each packet is a write. */
  request: IncomingMessage;
}

/**
 * Writes everything that a connection is sent in one turn of the event loop at once, if the turn writes more than a few
 * times: each write is a system call, which costs as much as the rest of relaying a message.
 */
export function coalesceWrites(server: Server): void {
  let writes = 0;
  let held = new Set<Connection>();

  const endTurn = () => {
    const connections = held;
    writes = 0;
    held = new Set();
    for (const connection of connections) {
      const stream = connection.request.socket;
      stream.cork();
      flushNow(connection);
      stream.uncork();
    }
  };

  /** One function for all connections, which it gets as `this`. */
  function flushOrHold(this: Connection): void {
    if (this.writeBuffer.length === 0 || held.has(this)) return;
    writes++;
    if (writes === 1) setImmediate(endTurn);
    if (writes <= MAX_IMMEDIATE_WRITES) flushNow(this);
    else held.add(this);
  }

  server.engine.on('connection', (connection: Connection) => {
    connection.flush = flushOrHold;
  });
}

/** Calls the method that the connection inherits. */
function flushNow(connection: Connection): void {
  (Object.getPrototypeOf(connection) as Connection).flush.call(connection);
}
