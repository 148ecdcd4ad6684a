import type { Server, Socket } from 'socket.io';

/** The data that may wait for a client that reads slowly, in addition to the largest packets. */
const MAX_UNREAD_BYTES = 2 * 1024 * 1024;

/** Two snapshots may follow each other when a socket connects, and one of many queues is large. */
const LARGEST_PACKETS = 2;

const UNREAD = Symbol('unread data');

interface UnreadData {
  /** Of the packets that have not been passed to the transport, which takes the next ones when these are sent. */
  waitingBytes: number;
  largestPacketBytes: number;
}

type Connection = Socket['conn'] & { [UNREAD]: UnreadData };

/** Closes connections whose clients read too slowly: everything that was sent to them stays in memory until it is read. */
export function limitUnreadData(engine: Server['engine']): void {
  engine.on('connection', (connection: Connection) => {
    connection[UNREAD] = { waitingBytes: 0, largestPacketBytes: 0 };
    connection.on('packetCreate', countPacket);
    connection.on('flush', countFlush);
  });
}

// The listeners are shared by all connections, which they get as `this`: thousands of closures would take more memory.

function countPacket(this: Connection, { data }: { data?: unknown }): void {
  const unread = this[UNREAD];
  const bytes = sizeOf(data);
  unread.largestPacketBytes = Math.max(unread.largestPacketBytes, bytes);
  unread.waitingBytes += bytes;
  if (unread.waitingBytes > MAX_UNREAD_BYTES + LARGEST_PACKETS * unread.largestPacketBytes) this.close(true);
}

function countFlush(this: Connection): void {
  this[UNREAD].waitingBytes = 0;
}

/** In memory. Most texts have one byte a character. */
function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return ArrayBuffer.isView(data) ? data.byteLength : 0;
}
