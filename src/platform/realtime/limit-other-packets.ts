import type { Server, Socket } from 'socket.io';
import { TokenBucket } from '../rate-limit/token-bucket';

/** The type of Socket.IO packets with events, which have a limit of their own. */
const EVENT = '2';

/**
 * A client connects to its namespace once, answers a ping every 8 seconds, and acknowledges nothing, because the service
 * requests no acknowledgements.
 */
const PACKETS_PER_SECOND = 2;
const MAX_PACKETS_AT_ONCE = 20;

/** Closes connections that send many packets other than events: each of them costs time, and some are answered. */
export function limitOtherPackets(server: Server): void {
  server.engine.on('connection', (connection: Socket['conn']) => {
    const bucket = new TokenBucket(PACKETS_PER_SECOND, MAX_PACKETS_AT_ONCE);
    connection.on('packet', ({ type, data }: { type: string; data?: unknown }) => {
      const isEvent = type === 'message' && typeof data === 'string' && data.startsWith(EVENT);
      if (!isEvent && !bucket.take()) connection.close(true);
    });
  });
}
