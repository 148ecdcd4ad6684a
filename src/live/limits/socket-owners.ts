import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import type { LiveSocket } from '../socket.types';
import { TokenBucket } from '../../platform/rate-limit/token-bucket';

/** Sockets of one customer's call, and of one user. The oldest is closed when there are more. */
export const MAX_CUSTOMER_SOCKETS = 5;
export const MAX_STAFF_SOCKETS = 20;

/** How many seconds of the event rate may be sent at once. */
const BURST_SECONDS = 4;
/** In the long run, one in ten of the permitted events may be refused. */
const REFUSAL_DIVISOR = 10;

/** New sockets of one call or user. All tabs of a user may reconnect at once, and a few of them twice. */
const CONNECTS_PER_SECOND = 5;
const MAX_CONNECTS_AT_ONCE = 25;

/** Events by which a customer changes the call again and again, which many sockets are informed of. */
const CALL_CHANGES_PER_SECOND = 1;
const MAX_CALL_CHANGES_AT_ONCE = 5;

/** Until the empty buckets of an owner are full again: reconnecting must not bring a new burst. */
export const OWNER_RETENTION_MS =
  Math.max(
    BURST_SECONDS,
    MAX_CONNECTS_AT_ONCE / CONNECTS_PER_SECOND,
    MAX_CALL_CHANGES_AT_ONCE / CALL_CHANGES_PER_SECOND,
  ) * 1000;

const NO_SOCKETS: readonly LiveSocket[] = [];

interface Owner {
  /** The open sockets of this instance, the oldest first. */
  sockets: LiveSocket[];
  /** Of all sockets together; created with the first event. */
  events: TokenBucket | undefined;
  connects: TokenBucket;
  /** Created with the first refused event. */
  refusals: TokenBucket | undefined;
  /** Created with the first change. */
  changes: TokenBucket | undefined;
  /** Removes the owner, once its last socket is closed. */
  removal: NodeJS.Timeout | undefined;
}

/** The calls of customers and the users to which the open sockets of this instance belong, with their limits. */
@Injectable()
export class SocketOwners {
  private readonly owners = new Map<string, Owner>();
  private customers = 0;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** A bucket of SOCKET_RATE_LIMIT. */
  newBucket(): TokenBucket {
    return new TokenBucket(this.config.socketRateLimit, this.burst);
  }

  /**
   * The bucket of refused events that are forgiven this socket although too many of its owner's were refused.
   * @returns undefined if they were refused already: reconnecting must not bring new ones
   */
  forgivenessOf(socket: LiveSocket): TokenBucket | undefined {
    const { refusals } = this.ownerOf(keyOf(socket));
    if (refusals && refusals.delayMs(performance.now(), 1) > 0) return undefined;
    const rate = this.config.socketRateLimit / REFUSAL_DIVISOR / REFUSAL_DIVISOR;
    return new TokenBucket(rate, Math.ceil(this.burst / REFUSAL_DIVISOR));
  }

  /** How many events may be sent at once. */
  get burst(): number {
    return this.config.socketRateLimit * BURST_SECONDS;
  }

  /** Counts a new socket of the call or user. @returns false if too many of them connect */
  admit(key: OwnerKey): boolean {
    return this.ownerOf(key).connects.take();
  }

  /** Registers a new socket and closes the oldest ones beyond the limit. Call `release` when it is disconnected. */
  register(socket: LiveSocket): void {
    const owner = this.ownerOf(keyOf(socket));
    clearTimeout(owner.removal);
    owner.removal = undefined;
    owner.sockets = [...owner.sockets, socket];
    if (socket.data.kind === 'customer') this.customers++;
    const limit = socket.data.kind === 'customer' ? MAX_CUSTOMER_SOCKETS : MAX_STAFF_SOCKETS;
    for (const oldest of owner.sockets.slice(0, -limit)) oldest.disconnect(true);
  }

  release(socket: LiveSocket): void {
    const key = keyOf(socket);
    const owner = this.owners.get(key);
    if (!owner?.sockets.includes(socket)) return;
    owner.sockets = owner.sockets.filter((other) => other !== socket);
    if (socket.data.kind === 'customer') this.customers--;
    if (owner.sockets.length === 0) this.removeLater(key, owner);
  }

  /** Whether a customer has an open socket on this instance. */
  get hasCustomers(): boolean {
    return this.customers > 0;
  }

  /** The open sockets of the call's customer on this instance. */
  socketsOfCall(callId: string): readonly LiveSocket[] {
    return this.owners.get(`call ${callId}`)?.sockets ?? NO_SOCKETS;
  }

  /** The bucket of events that all sockets of the registered socket's call or user share. */
  eventsOf(socket: LiveSocket): TokenBucket {
    const owner = this.ownerOf(keyOf(socket));
    owner.events ??= this.newBucket();
    return owner.events;
  }

  /**
   * Counts a refused event of the registered socket's call or user: `burst` of them are forgiven at once, and a tenth of the
   * rate a second. @returns false if there are more
   */
  admitRefusal(socket: LiveSocket, weight: number): boolean {
    const owner = this.ownerOf(keyOf(socket));
    owner.refusals ??= new TokenBucket(this.config.socketRateLimit / REFUSAL_DIVISOR, this.burst);
    return owner.refusals.take(performance.now(), weight);
  }

  /**
   * Counts an event by which the socket's customer changes the call: about their callback, or taking it over from another
   * page. @returns false if they send too many
   */
  admitCallChange(socket: LiveSocket): boolean {
    const owner = this.ownerOf(keyOf(socket));
    owner.changes ??= new TokenBucket(CALL_CHANGES_PER_SECOND, MAX_CALL_CHANGES_AT_ONCE);
    return owner.changes.take();
  }

  private ownerOf(key: OwnerKey): Owner {
    const known = this.owners.get(key);
    if (known) return known;
    const connects = new TokenBucket(CONNECTS_PER_SECOND, MAX_CONNECTS_AT_ONCE);
    const owner: Owner = {
      sockets: [],
      events: undefined,
      refusals: undefined,
      connects,
      changes: undefined,
      removal: undefined,
    };
    this.owners.set(key, owner);
    this.removeLater(key, owner);
    return owner;
  }

  private removeLater(key: OwnerKey, owner: Owner): void {
    const retentionMs = OWNER_RETENTION_MS * (owner.refusals ? REFUSAL_DIVISOR : 1);
    owner.removal = setTimeout(() => this.owners.delete(key), retentionMs).unref();
  }
}

export type OwnerKey = `call ${string}` | `user ${string}`;

const keyOf = ({ data }: LiveSocket): OwnerKey =>
  data.kind === 'customer' ? `call ${data.customer.call_id}` : `user ${data.user.user_id}`;
