import type { Server, Socket } from 'socket.io';
import { TokenBucket } from '../../platform/rate-limit/token-bucket';

/** The type of Socket.IO packets with events, which have a limit of their own. */
const EVENT = '2';

/**
 * A client connects to its namespace once, answers a ping every 8 seconds, and acknowledges nothing, because the service
 * requests no acknowledgements.
 */
const PACKETS_PER_SECOND = 2;
const MAX_PACKETS_AT_ONCE = 20;

const OTHER_PACKETS = Symbol('other packets');

type Connection = Socket['conn'] & { [OTHER_PACKETS]: TokenBucket };

/** Closes connections that send many packets other than events: each of them costs time, and some are answered. */
export function limitOtherPackets(engine: Server['engine']): void {
  engine.on('connection', (connection: Connection) => {
    connection[OTHER_PACKETS] = new TokenBucket(PACKETS_PER_SECOND, MAX_PACKETS_AT_ONCE);
    connection.on('packet', takePacket);
  });
}

/** One function for all connections, which it gets as `this`. */
function takePacket(this: Connection, { type, data }: { type: string; data?: unknown }): void {
  const isEvent = type === 'message' && typeof data === 'string' && data.startsWith(EVENT);
  if (!isEvent && !this[OTHER_PACKETS].take()) this.close(true);
}
