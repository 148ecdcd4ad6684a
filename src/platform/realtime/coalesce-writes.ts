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
  let held: (() => void)[] = [];

  const endTurn = () => {
    const flushes = held;
    writes = 0;
    held = [];
    for (const flush of flushes) flush();
  };

  server.engine.on('connection', (connection: Connection) => {
    const flush = connection.flush.bind(connection);
    const stream = connection.request.socket;
    let isHeld = false;
    const flushHeld = () => {
      isHeld = false;
      stream.cork();
      flush();
      stream.uncork();
    };
    connection.flush = () => {
      if (isHeld || connection.writeBuffer.length === 0) return;
      writes++;
      if (writes === 1) setImmediate(endTurn);
      if (writes <= MAX_IMMEDIATE_WRITES) return flush();
      isHeld = true;
      held.push(flushHeld);
    };
  });
}
