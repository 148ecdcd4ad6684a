import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'socket.io';

/** What may wait for a client that reads slowly, besides the largest packets. */
const MAX_UNREAD_BYTES = 2 * 1024 * 1024;

/** Two snapshots may follow each other when a socket connects, and one of many queues is large. */
const LARGEST_PACKETS = 2;

type Connection = Socket['conn'];

type Transport =
  | { name: 'websocket'; socket: { bufferedAmount: number; terminate(): void } }
  | { name: 'polling'; res: ServerResponse };

/** Closes connections whose clients read too slowly: everything that was sent to them stays in memory until it is read. */
export function limitUnreadData(server: Server): void {
  server.engine.on('connection', limitUnreadDataOf);
}

function limitUnreadDataOf(connection: Connection): void {
  /** The packets that have not been passed to the transport. */
  let waitingBytes = 0;
  let largestPacketBytes = 0;
  /** The responses of long-polling that the client has not read. */
  const responses = new Set<ServerResponse>();
  const transport = () => connection.transport as unknown as Transport;

  const unsentBytes = (): number => {
    const current = transport();
    let bytes = current.name === 'websocket' ? current.socket.bufferedAmount : 0;
    for (const response of responses) bytes += response.writableLength;
    return bytes;
  };

  connection.on('packetCreate', ({ data }: { data?: unknown }) => {
    const bytes = sizeOf(data);
    largestPacketBytes = Math.max(largestPacketBytes, bytes);
    waitingBytes += bytes;
    if (waitingBytes + unsentBytes() <= MAX_UNREAD_BYTES + LARGEST_PACKETS * largestPacketBytes) return;
    const current = transport();
    connection.close(true);
    // A closing handshake would be sent after the data that the client does not read.
    if (current.name === 'websocket') current.socket.terminate();
    for (const response of responses) response.destroy();
  });

  connection.on('flush', () => {
    waitingBytes = 0;
    const current = transport();
    if (current.name !== 'polling') return;
    const { res } = current;
    responses.add(res);
    res.once('close', () => responses.delete(res));
  });
}

/** In memory. Most texts have one byte a character. */
function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return ArrayBuffer.isView(data) ? data.byteLength : 0;
}
