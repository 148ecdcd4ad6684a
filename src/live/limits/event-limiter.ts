import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../../platform/http/errors/error-codes';
import { TokenBucket } from '../../platform/rate-limit/token-bucket';
import type { Ack, LiveSocket } from '../socket.types';
import { TaskQueue } from '../../platform/rate-limit/task-queue';
import { isSmallPayload, weightOf } from './payload-size';
import { SocketOwners } from './socket-owners';

/** Events of one socket that are handled at the same time. */
const MAX_RUNNING_EVENTS = 4;

interface EventBuckets {
  own: TokenBucket;
  /** Of all sockets of the call or user. */
  shared: TokenBucket;
  /** Refused events for which this socket is not closed, whatever the other ones have sent. */
  forgiven: TokenBucket | undefined;
}

type Refusal = Extract<Ack, { ok: false }>;

const refusal = (code: ErrorCode, detail: string): Refusal => ({ ok: false, error: { code, detail } });

export const TOO_MANY_EVENTS = refusal('rate_limited', 'Too many events. Send fewer of them per second.');
const UNKNOWN_EVENT = refusal('unknown_event', 'Unknown event.');
const LARGE_PAYLOAD = refusal('validation_failed', 'The payload has too many members.');

/**
 * Limits the events of a socket before they reach the gateway: their number per second, per socket and per call or
 * user, and the shape of their payload. A long one counts as several events. A socket that goes on is disconnected when too many
 * events of its call or user were refused, and a few of its own.
 */
@Injectable()
export class EventLimiter {
  constructor(private readonly owners: SocketOwners) {}

  /** @param events the names of the events that exist */
  limit(socket: LiveSocket, events: ReadonlySet<string>): void {
    this.owners.register(socket);
    let buckets: EventBuckets | undefined;
    socket.use((packet: unknown[], next) => {
      // Events that arrived together with the one for which the socket was disconnected.
      if (socket.disconnected) return;
      buckets ??= this.begin(socket);
      const { own, shared, forgiven } = buckets;
      const payload = packet.slice(1);
      const isSmall = isSmallPayload(payload);
      const weight = isSmall ? weightOf(payload) : 1;
      const now = performance.now();
      if (!own.take(now, weight) || !shared.take(now, weight)) {
        acknowledge(packet, TOO_MANY_EVENTS);
        if (!this.owners.admitRefusal(socket, weight) && !forgiven?.take(now, weight)) {
          socket.disconnect(true);
        }
      } else if (!events.has(String(packet[0]))) {
        acknowledge(packet, UNKNOWN_EVENT);
      } else if (!isSmall) {
        acknowledge(packet, LARGE_PAYLOAD);
      } else {
        next();
      }
    });
  }

  /** The socket disconnected. */
  release(socket: LiveSocket): void {
    this.owners.release(socket);
  }

  /** With the first event of the socket: most customers in a queue never send one. */
  private begin(socket: LiveSocket): EventBuckets {
    socket.data.queue = new TaskQueue(MAX_RUNNING_EVENTS, this.owners.burst);
    socket.data.signals = new TaskQueue(1, this.owners.burst);
    const { owners } = this;
    return {
      own: owners.newBucket(),
      shared: owners.eventsOf(socket),
      forgiven: owners.forgivenessOf(socket),
    };
  }
}

/** Acknowledges an event if the client expects it: then the last argument is a function. */
export function acknowledge(packet: unknown[], ack: Ack): void {
  const callback = packet.at(-1);
  if (typeof callback === 'function') callback(ack);
}
