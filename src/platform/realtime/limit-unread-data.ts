import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'socket.io';

/** The data that may wait for a client that reads slowly, in addition to the largest packets. */
const MAX_UNREAD_BYTES = 2 * 1024 * 1024;

/** Two snapshots may follow each other when a socket connects, and one of many queues is large. */
const LARGEST_PACKETS = 2;

type Transport =
  | { name: 'websocket'; socket: { bufferedAmount: number; terminate(): void } }
  | { name: 'polling'; res: ServerResponse };

const UNREAD = Symbol('unread data');

interface UnreadData {
  /** Of the packets that have not been passed to the transport. */
  waitingBytes: number;
  largestPacketBytes: number;
  /** The responses of long-polling that the client has not read. */
  responses: Set<ServerResponse> | undefined;
}

type Connection = Socket['conn'] & { [UNREAD]: UnreadData };

/** Closes connections whose clients read too slowly: everything that was sent to them stays in memory until it is read. */
export function limitUnreadData(server: Server): void {
  server.engine.on('connection', (connection: Connection) => {
    connection[UNREAD] = { waitingBytes: 0, largestPacketBytes: 0, responses: undefined };
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
  const maxBytes = MAX_UNREAD_BYTES + LARGEST_PACKETS * unread.largestPacketBytes;
  if (unread.waitingBytes + unsentBytes(this) <= maxBytes) return;
  const current = transportOf(this);
  this.close(true);
  // A closing handshake would be sent after the data that the client does not read.
  if (current.name === 'websocket') current.socket.terminate();
  for (const response of unread.responses ?? []) response.destroy();
}

function countFlush(this: Connection): void {
  const unread = this[UNREAD];
  unread.waitingBytes = 0;
  const current = transportOf(this);
  if (current.name !== 'polling') return;
  const { res } = current;
  const responses = (unread.responses ??= new Set());
  responses.add(res);
  res.once('close', () => responses.delete(res));
}

const transportOf = (connection: Connection) => connection.transport as unknown as Transport;

function unsentBytes(connection: Connection): number {
  const current = transportOf(connection);
  let bytes = current.name === 'websocket' ? current.socket.bufferedAmount : 0;
  for (const response of connection[UNREAD].responses ?? []) bytes += response.writableLength;
  return bytes;
}

/** In memory. Most texts have one byte a character. */
function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return ArrayBuffer.isView(data) ? data.byteLength : 0;
}
