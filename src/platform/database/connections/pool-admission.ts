import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { CONFIG, type Config } from '../../config/config';
import {
  clientSignal,
  currentConnectionKind,
  isPublicRequest,
  requestContext,
} from '../../logging/request-context';
import { ConnectionLimitError, Semaphore } from './semaphore';

type Kind = NonNullable<ReturnType<typeof currentConnectionKind>> | 'ordinary';

/** So that background work for calls in progress leaves reserved connections to their requests. */
const MAX_RESERVED_BACKGROUND = 2;
/** What one tenant or address can be served in the time for which it waits. Further requests are refused at once. */
const MAX_WAITING = 1000;
/** Until a public request tries again to get a lock. */
const LOCK_PAUSE_MS = { min: 10, max: 30 };

/** The pool had no connection in time. */
export class DatabaseBusyError extends ConnectionLimitError {}

/**
 * The connections of the pool. A tenant or a client address may hold as many of those that a kind of work may use as are left
 * for the others: one alone gets half of them, two a third each, and so on. So however many requests a company or a visitor
 * sends, and however slow they are, there is a connection for the others.
 */
class PoolPlaces extends Semaphore<Kind> {
  /** For calls in progress. With fewer than five connections none is reserved. */
  private readonly reserved: number;
  /** With more public requests at once, calls in progress wait for the processors. */
  private readonly public: number;

  constructor(poolSize: number) {
    super({ places: poolSize, maxWaiting: MAX_WAITING, busyMessage: 'The service is busy.' });
    this.reserved = Math.floor(poolSize / 5);
    this.public = Math.max(1, Math.floor((poolSize * 2) / 5));
  }

  protected override mayTake(owner: string, kind: Kind): boolean {
    const available = this.availableTo(kind);
    // Work of the service itself has no owner.
    if (owner === '') return available > 0;
    // Calls in progress do not wait for other work of their company, but that waits for them.
    const held = this.heldBy(owner) + (kind === 'ordinary' ? this.heldBy(inCalls(owner)) : 0);
    return held < available;
  }

  protected override busyError(message: string): DatabaseBusyError {
    return new DatabaseBusyError(message);
  }

  private availableTo(kind: Kind): number {
    if (kind === 'reserved' || kind === 'public_reserved') return this.freeCount;
    if (kind === 'reserved_background')
      return this.freeCount - Math.max(0, this.reserved - MAX_RESERVED_BACKGROUND);
    const unreserved = this.freeCount - this.reserved;
    return kind === 'public' ? Math.min(unreserved, this.public - this.heldOf('public')) : unreserved;
  }
}

/**
 * Decides who gets a connection of the pool. A fifth of the connections is kept free for calls in progress, and public requests
 * use at most two fifths. When requests wait, those of the tenant, or of the client address, that holds the fewest come first.
 */
@Injectable()
export class PoolAdmission {
  /** How long a request that is not public waits for a connection. */
  readonly waitMs: number = 5000;
  /** From its first connection until a public request waits no longer: the customer's page gives up after 8 s. */
  readonly publicWaitMs: number = 6000;
  private readonly places: PoolPlaces;
  private observeWait: (waitedMs: number) => void = () => {};

  constructor(@Inject(CONFIG) { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    this.places = new PoolPlaces(databasePoolSize);
  }

  /** Calls the listener with the duration of each wait, also of those that fail. */
  onWait(listener: (waitedMs: number) => void): void {
    this.observeWait = listener;
  }

  /**
   * Waits until the pool has a connection for the current request or background work: public requests until 6 s after their
   * first connection was asked for, others for at most 5 s. A public request whose client has left does not wait any longer.
   * @param tenantId of the transaction; undefined across tenants, where the client's address counts instead
   * @returns a function to call when the connection is back in the pool
   * @throws ConnectionLimitError when none became free in time; for a public request whose client has left, its reason
   */
  async acquire(tenantId?: string): Promise<() => void> {
    const begin = performance.now();
    const kind = currentConnectionKind() ?? 'ordinary';
    const owner = ownerOf(kind, tenantId ?? clientNetwork());
    try {
      const waiting = isPublicRequest()
        ? { waitMs: this.remainingPublicMs(), signal: clientSignal() }
        : { waitMs: this.waitMs };
      return await this.places.acquire({ owner, kind, ...waiting });
    } finally {
      this.observeWait(performance.now() - begin);
    }
  }

  /** How much longer the current public request may wait, whatever its time was spent on, in ms. */
  remainingPublicMs(): number {
    const now = performance.now();
    const context = requestContext.getStore();
    if (!context) return this.publicWaitMs;
    context.public_deadline ??= now + this.publicWaitMs;
    return Math.max(0, context.public_deadline - now);
  }

  /**
   * Waits for a moment after a transaction of a public request did not get a lock: it holds no connection meanwhile.
   * @returns false if the request must not wait for a lock any longer, or is not public
   */
  async waitForLock(): Promise<boolean> {
    if (!isPublicRequest()) return false;
    const pauseMs = LOCK_PAUSE_MS.min + Math.random() * (LOCK_PAUSE_MS.max - LOCK_PAUSE_MS.min);
    if (pauseMs >= this.remainingPublicMs() || clientSignal()?.aborted) return false;
    await delay(pauseMs);
    return true;
  }
}

/** One client may use all addresses of an IPv6 network. */
function clientNetwork(): string | undefined {
  const address = requestContext.getStore()?.address;
  return address ? normalizeIp(address) : undefined;
}

/** The customers of a company and its staff do not take each other's connections. */
function ownerOf(kind: Kind, name: string | undefined): string {
  if (name === undefined) return '';
  if (kind === 'public') return `public ${name}`;
  return kind === 'ordinary' ? name : inCalls(name);
}

const inCalls = (name: string): string => `calls of ${name}`;
