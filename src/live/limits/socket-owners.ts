import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import type { LiveSocket } from '../socket.types';
import { TokenBucket } from '../../platform/rate-limit/token-bucket';

/** Sockets of one customer's call, and of one user. The oldest is closed when there are more. */
export const MAX_CUSTOMER_SOCKETS = 5;
export const MAX_STAFF_SOCKETS = 20;

/** How many seconds of the event rate may be sent at once. */
const BURST_SECONDS = 4;

/** New sockets of one call or user. All tabs of a user may reconnect at once, and a few of them twice. */
const CONNECTS_PER_SECOND = 5;
const MAX_CONNECTS_AT_ONCE = 25;

/** Until the empty buckets of an owner are full again: reconnecting must not bring a new burst. */
const OWNER_RETENTION_MS = Math.max(BURST_SECONDS, MAX_CONNECTS_AT_ONCE / CONNECTS_PER_SECOND) * 1000;

interface Owner {
  /** The open sockets of this instance, the oldest first. */
  sockets: Set<LiveSocket>;
  events: TokenBucket;
  connects: TokenBucket;
  /** Removes the owner, once its last socket is closed. */
  removal?: NodeJS.Timeout;
}

/** The calls of customers and the users to which the open sockets of this instance belong, with their limits. */
@Injectable()
export class SocketOwners {
  private readonly owners = new Map<string, Owner>();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** A bucket of SOCKET_RATE_LIMIT. */
  newBucket(): TokenBucket {
    return new TokenBucket(this.config.socketRateLimit, this.burst);
  }

  /** How many events may be sent at once. */
  get burst(): number {
    return this.config.socketRateLimit * BURST_SECONDS;
  }

  /**
   * Registers a new socket and closes the oldest ones beyond the limit.
   * @returns the bucket of events that all sockets of the call or user share; undefined if too many sockets connect
   */
  register(socket: LiveSocket): TokenBucket | undefined {
    const key = keyOf(socket);
    const owner = this.owners.get(key) ?? this.newOwner();
    if (!owner.connects.take()) return undefined;
    this.owners.set(key, owner);
    clearTimeout(owner.removal);
    owner.sockets.add(socket);
    socket.once('disconnect', () => this.remove(key, owner, socket));
    const limit = socket.data.kind === 'customer' ? MAX_CUSTOMER_SOCKETS : MAX_STAFF_SOCKETS;
    for (const oldest of [...owner.sockets].slice(0, -limit)) oldest.disconnect(true);
    return owner.events;
  }

  private newOwner(): Owner {
    const connects = new TokenBucket(CONNECTS_PER_SECOND, MAX_CONNECTS_AT_ONCE);
    return { sockets: new Set(), events: this.newBucket(), connects };
  }

  private remove(key: string, owner: Owner, socket: LiveSocket): void {
    owner.sockets.delete(socket);
    if (owner.sockets.size > 0) return;
    owner.removal = setTimeout(() => this.owners.delete(key), OWNER_RETENTION_MS).unref();
  }
}

const keyOf = ({ data }: LiveSocket): string =>
  data.kind === 'customer' ? `call ${data.customer.call_id}` : `user ${data.user.user_id}`;
