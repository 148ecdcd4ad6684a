/** No place became free in time. HTTP answers it with 503. */
export class ConnectionLimitError extends Error {}

/** The client of a request has left while it waited. */
export class ClientLeftError extends ConnectionLimitError {}

/** What a semaphore limits. */
export interface SemaphoreLimits {
  /** How many users have a place at the same time; Infinity if only those of one owner are limited. */
  places: number;
  /** Of the places, those that one owner may hold. */
  perOwner?: number;
  /** How many users of one owner may wait; further ones are refused at once. */
  maxWaiting?: number;
  /** Of the error when none becomes free in time. */
  busyMessage: string;
}

/** How a user waits for a place. */
export interface Waiting<Kind> {
  /** The tenant or client address, for example; by default all users have the same one. */
  owner?: string;
  kind?: Kind;
  waitMs?: number;
  signal?: AbortSignal | undefined;
}

/** The users of one owner and kind who wait, in the order in which they came. */
interface Line<Kind> {
  owner: string;
  kind: Kind | undefined;
  grants: Set<() => void>;
}

/**
 * Limits how many users have a place at the same time; further ones wait. A place that becomes free is given to the owner who
 * holds the fewest places, and of several to the one that has waited for a turn the longest, so that no owner can keep the
 * others waiting. Users of one owner get places in the order in which they came.
 */
export class Semaphore<Kind extends string = string> {
  waitTimeoutMs = 10_000;
  private heldCount = 0;
  private readonly heldByOwner = new Map<string, number>();
  private readonly heldByKind = new Map<Kind | undefined, number>();
  /** The one that has waited for a turn the longest comes first. */
  private readonly lines = new Map<string, Line<Kind>>();

  constructor(private readonly limits: SemaphoreLimits) {}

  /** Runs `work` within the limit. @throws as `acquire` and `work` do */
  async run<T>(work: () => Promise<T>, waiting?: Waiting<Kind>): Promise<T> {
    const release = await this.acquire(waiting);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a place, for work that is not a single promise.
   * @returns a function that frees it; further calls of it do nothing
   * @throws ConnectionLimitError after waitMs, and at once when too many of the owner wait; the signal's reason
   */
  async acquire(waiting: Waiting<Kind> = {}): Promise<() => void> {
    const { owner = '', kind, waitMs = this.waitTimeoutMs, signal } = waiting;
    signal?.throwIfAborted();
    if (this.mayTake(owner, kind)) this.take(owner, kind, 1);
    else await this.wait(owner, kind, waitMs, signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.release(owner, kind);
      isHeld = false;
    };
  }

  /** How many users of the owner hold or wait for a place. */
  usersOf(owner: string): number {
    const waiting = [...this.lines.values()].filter((line) => line.owner === owner);
    return waiting.reduce((sum, { grants }) => sum + grants.size, this.heldBy(owner));
  }

  /** Whether the owner may take a place now. */
  protected mayTake(owner: string, _kind: Kind | undefined): boolean {
    return this.freeCount > 0 && this.heldBy(owner) < (this.limits.perOwner ?? Infinity);
  }

  protected busyError(message: string): ConnectionLimitError {
    return new ConnectionLimitError(message);
  }

  protected get freeCount(): number {
    return this.limits.places - this.heldCount;
  }

  protected heldBy(owner: string): number {
    return this.heldByOwner.get(owner) ?? 0;
  }

  protected heldOf(kind: Kind): number {
    return this.heldByKind.get(kind) ?? 0;
  }

  private take(owner: string, kind: Kind | undefined, count: 1 | -1): void {
    this.heldCount += count;
    add(this.heldByOwner, owner, count);
    add(this.heldByKind, kind, count);
  }

  private wait(
    owner: string,
    kind: Kind | undefined,
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const key = `${kind ?? ''} ${owner}`;
    const line = this.lines.get(key) ?? { owner, kind, grants: new Set() };
    const { busyMessage, maxWaiting = Infinity } = this.limits;
    if (line.grants.size >= maxWaiting) throw this.busyError(busyMessage);
    this.lines.set(key, line);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        line.grants.delete(grant);
        if (line.grants.size === 0) this.lines.delete(key);
      };
      const fail = (reason: unknown) => {
        leave();
        reject(reason);
      };
      const grant = () => {
        leave();
        this.take(owner, kind, 1);
        // Behind the other owners.
        if (this.lines.delete(key)) this.lines.set(key, line);
        resolve();
      };
      const onAbort = () => fail(signal?.reason);
      const timer = setTimeout(() => fail(this.busyError(busyMessage)), waitMs);
      signal?.addEventListener('abort', onAbort);
      line.grants.add(grant);
    });
  }

  private release(owner: string, kind: Kind | undefined): void {
    this.take(owner, kind, -1);
    for (let grant; (grant = this.nextGrant());) grant();
  }

  private nextGrant(): (() => void) | undefined {
    let next: Line<Kind> | undefined;
    for (const line of this.lines.values()) {
      if (!this.mayTake(line.owner, line.kind)) continue;
      if (!next || this.heldBy(line.owner) < this.heldBy(next.owner)) next = line;
    }
    const [grant] = next?.grants ?? [];
    return grant;
  }
}

/** Only what is held has an entry. */
function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  const sum = (counts.get(key) ?? 0) + count;
  if (sum > 0) counts.set(key, sum);
  else counts.delete(key);
}
