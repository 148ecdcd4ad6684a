import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { currentConnectionKind, type RequestContext, requestContext } from '../../logging/request-context';
import { acquireAny, Semaphore } from './semaphore';
import { TenantLimits } from './tenant-limits';

const BUSY = 'The service is busy.';
/** How long the place of a public request stays taken after it, while requests of calls in progress are handled. */
const PUBLIC_PAUSE_MS = 5;
/** The same under overload. */
const OVERLOAD_PAUSE_MS = 15;
/** Only under overload public requests wait as long. */
const OVERLOAD_WAIT_MS = 100;
/** So that background work for calls in progress leaves reserved connections to their requests. */
const MAX_RESERVED_BACKGROUND = 2;

/**
 * Decides who gets a connection of the pool. A fifth of the connections is reserved for calls in progress; everything
 * else shares the rest. When requests wait, those of the tenant that holds the fewest connections come first. With fewer
 * than five connections none is reserved. Requests of one tenant's calls in progress use at most half of the pool.
 */
@Injectable()
export class PoolAdmission {
  /** How long a request that is not public waits for a connection. */
  readonly waitMs: number = 5000;
  /**
   * Public requests fail early: under overload they would otherwise all wait, and be answered after their clients left.
   */
  readonly publicWaitMs: number = 1000;
  private readonly all: Semaphore;
  private readonly unreserved: Semaphore;
  /** Public requests use a fifth of the pool: with more of them at once, calls in progress wait for the processors. */
  private readonly public: Semaphore;
  /** How much longer each public request may wait, however many connections it takes one after another. */
  private readonly publicWaits = new WeakMap<RequestContext, number>();
  /** The public requests that wait, the oldest first. */
  private readonly waitingPublic = new Set<{ since: number }>();
  private readonly tenants: TenantLimits;
  /** Requests that may use reserved connections, and have one. */
  private reservedRequests = 0;
  private readonly reservedBackground = new Semaphore(MAX_RESERVED_BACKGROUND, BUSY);
  private observeWait: (waitedMs: number) => void = () => {};

  constructor(@Inject(CONFIG) { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    this.all = new Semaphore(databasePoolSize, BUSY);
    this.tenants = new TenantLimits(Math.max(2, Math.ceil(databasePoolSize / 2)), BUSY);
    this.unreserved = new Semaphore(databasePoolSize - Math.floor(databasePoolSize / 5), BUSY);
    this.public = new Semaphore(Math.max(1, Math.floor(databasePoolSize / 5)), BUSY);
  }

  /** Calls the listener with the duration of each wait, also of those that fail. */
  onWait(listener: (waitedMs: number) => void): void {
    this.observeWait = listener;
  }

  /**
   * Waits until the pool has a connection for the current request or background work: public requests for at most 1 s,
   * others for at most 5 s.
   * @param tenantId of the transaction; undefined across tenants, where clients with different addresses take turns
   * @returns a function to call when the connection is back in the pool
   * @throws ConnectionLimitError when none became free in time
   */
  async acquire(tenantId?: string): Promise<() => void> {
    const begin = performance.now();
    try {
      return await this.admit(tenantId);
    } finally {
      this.observeWait(performance.now() - begin);
    }
  }

  private async admit(tenantId: string | undefined): Promise<() => void> {
    const kind = currentConnectionKind();
    const owner = tenantId ?? requestContext.getStore()?.address ?? undefined;
    if (kind === 'public') return this.acquirePublic(owner);
    const isLimited = kind === 'reserved' && tenantId !== undefined;
    const begin = performance.now();
    const leaveTenant = isLimited ? await this.tenants.acquire(tenantId, this.waitMs) : () => {};
    try {
      const remainingMs = this.waitMs - (performance.now() - begin);
      const release = await acquireAll(this.limitsOf(kind), remainingMs, owner);
      const isReserved = kind === 'reserved';
      if (isReserved) this.reservedRequests++;
      return () => {
        if (isReserved) this.reservedRequests--;
        release();
        leaveTenant();
      };
    } catch (error) {
      leaveTenant();
      throw error;
    }
  }

  private async acquirePublic(owner: string | undefined): Promise<() => void> {
    const context = requestContext.getStore();
    const waitMs = (context && this.publicWaits.get(context)) ?? this.publicWaitMs;
    const waiting = { since: performance.now() };
    this.waitingPublic.add(waiting);
    try {
      const leave = await this.public.acquire(undefined, waitMs, owner);
      const remainingMs = Math.max(0, waitMs - (performance.now() - waiting.since));
      const release = await acquireAll([[this.unreserved], [this.all]], remainingMs, owner).catch((error) => {
        leave();
        throw error;
      });
      return () => {
        release();
        this.endPublic(leave);
      };
    } finally {
      this.waitingPublic.delete(waiting);
      if (context) this.publicWaits.set(context, Math.max(0, waitMs - (performance.now() - waiting.since)));
    }
  }

  /** Otherwise the next public request would take the processors at once, for which those of the calls wait. */
  private endPublic(leave: () => void): void {
    const isOverloaded = this.longestPublicWaitMs > OVERLOAD_WAIT_MS;
    if (this.reservedRequests > 0) setTimeout(leave, isOverloaded ? OVERLOAD_PAUSE_MS : PUBLIC_PAUSE_MS);
    else leave();
  }

  /** How long the oldest of the public requests that wait has waited; 0 if none waits. */
  private get longestPublicWaitMs(): number {
    const [oldest] = this.waitingPublic;
    return oldest ? performance.now() - oldest.since : 0;
  }

  /**
   * Whether a public request that arrives now would probably reach the limit of its wait, because another one has
   * waited for half of the limit already. Refusing it at once costs much less.
   */
  get isOverloaded(): boolean {
    return this.longestPublicWaitMs > this.publicWaitMs / 2;
  }

  /** The limits of a kind of work, in the order in which it gets their places. One place of each list is enough. */
  private limitsOf(kind: ReturnType<typeof currentConnectionKind>): Semaphore[][] {
    if (kind === 'reserved') return [[this.all]];
    // Background work for calls uses a reserved connection only if it would have to wait for another one.
    const isForCalls = kind === 'reserved_background';
    return [isForCalls ? [this.unreserved, this.reservedBackground] : [this.unreserved], [this.all]];
  }
}

/** Acquires one place after another. @returns a function that frees all of them */
async function acquireAll(
  limits: Semaphore[][],
  waitMs: number,
  owner: string | undefined,
): Promise<() => void> {
  return tryAcquireAll(limits, owner) ?? waitForAll(limits, waitMs, owner);
}

/** Most of the time there is no need to wait. @returns undefined if a place is not free */
function tryAcquireAll(limits: Semaphore[][], owner: string | undefined): (() => void) | undefined {
  const releases: (() => void)[] = [];
  const releaseAll = () => {
    for (let index = releases.length - 1; index >= 0; index--) releases[index]?.();
  };
  for (const choices of limits) {
    const release = choices.find(({ hasFree }) => hasFree)?.tryAcquire(owner);
    if (!release) {
      releaseAll();
      return undefined;
    }
    releases.push(release);
  }
  return releaseAll;
}

async function waitForAll(
  limits: Semaphore[][],
  waitMs: number,
  owner: string | undefined,
): Promise<() => void> {
  const deadline = performance.now() + waitMs;
  const releases: (() => void)[] = [];
  const releaseAll = () => releases.toReversed().forEach((release) => release());
  try {
    for (const choices of limits) {
      releases.push(await acquireAny(choices, Math.max(0, deadline - performance.now()), owner));
    }
    return releaseAll;
  } catch (error) {
    releaseAll();
    throw error;
  }
}
