import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import {
  clientSignal,
  currentConnectionKind,
  type RequestContext,
  requestContext,
} from '../../logging/request-context';
import { KeyedSemaphore } from './keyed-semaphore';
import { acquireAny, Semaphore } from './semaphore';

const BUSY = 'The service is busy.';
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
  /** How long a public request waits in all: the customer's page gives up after 8 s. */
  readonly publicWaitMs: number = 6000;
  private readonly all: Semaphore;
  private readonly unreserved: Semaphore;
  /** Public requests use two fifths of the pool: with more of them at once, calls in progress wait for the processors. */
  private readonly public: Semaphore;
  /** Milliseconds that each public request has waited, however many connections it takes one after another. */
  private readonly publicWaits = new WeakMap<RequestContext, number>();
  private readonly tenants: KeyedSemaphore;
  private readonly reservedBackground = new Semaphore(MAX_RESERVED_BACKGROUND, BUSY);
  private observeWait: (waitedMs: number) => void = () => {};

  constructor(@Inject(CONFIG) { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    this.all = new Semaphore(databasePoolSize, BUSY);
    this.tenants = new KeyedSemaphore(Math.max(2, Math.ceil(databasePoolSize / 2)), BUSY);
    this.unreserved = new Semaphore(databasePoolSize - Math.floor(databasePoolSize / 5), BUSY);
    this.public = new Semaphore(Math.max(1, Math.floor((databasePoolSize * 2) / 5)), BUSY);
  }

  /** Calls the listener with the duration of each wait, also of those that fail. */
  onWait(listener: (waitedMs: number) => void): void {
    this.observeWait = listener;
  }

  /**
   * Waits until the pool has a connection for the current request or background work: public requests for at most 6 s,
   * others for at most 5 s. A public request whose client has left does not wait any longer.
   * @param tenantId of the transaction; undefined across tenants, where clients with different addresses take turns
   * @returns a function to call when the connection is back in the pool
   * @throws ConnectionLimitError when none became free in time, and for a public request whose client has left
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
      return () => {
        release();
        leaveTenant();
      };
    } catch (error) {
      leaveTenant();
      throw error;
    }
  }

  /** How much longer the current public request may wait, for connections and for anything else. */
  get remainingPublicMs(): number {
    const context = requestContext.getStore();
    return Math.max(0, this.publicWaitMs - ((context && this.publicWaits.get(context)) ?? 0));
  }

  /** Counts the time of `wait` as waited by the current public request. @param wait gets how long it may take, in ms */
  async waitPublic<T>(wait: (remainingMs: number) => Promise<T>): Promise<T> {
    const context = requestContext.getStore();
    const begin = performance.now();
    try {
      return await wait(this.remainingPublicMs);
    } finally {
      const waitedMs = performance.now() - begin;
      if (context) this.publicWaits.set(context, (this.publicWaits.get(context) ?? 0) + waitedMs);
    }
  }

  private async acquirePublic(owner: string | undefined): Promise<() => void> {
    const signal = clientSignal();
    const leave = await this.waitPublic((remainingMs) => this.public.acquire(signal, remainingMs, owner));
    try {
      const release = await this.waitPublic((remainingMs) =>
        acquireAll([[this.unreserved], [this.all]], remainingMs, owner, signal),
      );
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
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
  signal?: AbortSignal,
): Promise<() => void> {
  return tryAcquireAll(limits, owner) ?? waitForAll(limits, waitMs, owner, signal);
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
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const deadline = performance.now() + waitMs;
  const releases: (() => void)[] = [];
  const releaseAll = () => releases.toReversed().forEach((release) => release());
  try {
    for (const choices of limits) {
      releases.push(await acquireAny(choices, Math.max(0, deadline - performance.now()), owner, signal));
    }
    return releaseAll;
  } catch (error) {
    releaseAll();
    throw error;
  }
}
