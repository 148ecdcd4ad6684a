import { Injectable } from '@nestjs/common';
import type { Ack, LiveSocket } from '../socket.types';
import { TaskQueue } from '../../platform/rate-limit/task-queue';
import { isSmallPayload } from './payload-size';
import { SocketOwners } from './socket-owners';

/** Events of one socket that are handled at the same time. */
const MAX_RUNNING_EVENTS = 4;

type Refusal = Extract<Ack, { ok: false }>;

const refusal = (code: string, detail: string): Refusal => ({ ok: false, error: { code, detail } });

export const TOO_MANY_EVENTS = refusal('rate_limited', 'Too many events. Send fewer of them per second.');
const UNKNOWN_EVENT = refusal('unknown_event', 'Unknown event.');
const LARGE_PAYLOAD = refusal('validation_failed', 'The payload has too many members.');

/**
 * Limits the events of a socket before they reach the gateway: their number per second, per socket and per call or
 * user, and the shape of their payload. A socket that sends more than twice the rate is disconnected.
 */
@Injectable()
export class EventLimiter {
  constructor(private readonly owners: SocketOwners) {}

  /** @param events the names of the events that exist */
  limit(socket: LiveSocket, events: ReadonlySet<string>): void {
    const shared = this.owners.register(socket);
    const own = this.owners.newBucket();
    const refused = this.owners.newBucket();
    socket.data.queue = new TaskQueue(MAX_RUNNING_EVENTS, this.owners.burst);
    socket.use((packet: unknown[], next) => {
      // Events that arrived together with the one for which the socket was disconnected.
      if (socket.disconnected) return;
      const isWithinRate = own.take() && shared.take();
      if (!isWithinRate) {
        acknowledge(packet, TOO_MANY_EVENTS);
        if (!refused.take()) socket.disconnect(true);
      } else if (!events.has(String(packet[0]))) {
        acknowledge(packet, UNKNOWN_EVENT);
      } else if (!isSmallPayload(packet.slice(1))) {
        acknowledge(packet, LARGE_PAYLOAD);
      } else {
        next();
      }
    });
  }
}

/** Acknowledges an event if the client expects it: then the last argument is a function. */
export function acknowledge(packet: unknown[], ack: Ack): void {
  const callback = packet.at(-1);
  if (typeof callback === 'function') callback(ack);
}
