import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock';
import { requestContext, runAsReservedBackgroundWork } from '../logging/request-context';

/** Values that become due within this time are read together, so that they become due together the next time, too. */
const COLLECT_MS = 200;

/** Values that one statement reads. */
const BATCH_SIZE = 500;

interface Options<Value extends object> {
  /** The largest number of values. */
  max: number;
  /** The largest age of a value that is used. It counts from the moment before the value was read. */
  ttlMs: number;
  /**
   * A value that is used at this age or later is read again. The rest of the ttl is for the reading. For a caller that
   * accepts only younger values, the age is lower in the same proportion.
   */
  refreshMs: number;
  clock: Clock;
  /** Called when a value is removed, for whatever reason, also when it is replaced. */
  dispose?: (value: Value) => void;
  /** Reads values again. Those that it leaves out are removed. */
  readAll: (keys: string[]) => Promise<Map<string, Value>>;
}

interface Entry<Value> {
  value: Value;
  /** When its reading began, as `now`. */
  since: number;
  isDue: boolean;
}

/**
 * A cache of values that are used again and again. They are read again before they expire, many with one statement, while
 * the old ones are still used. A value that is used rarely expires.
 */
export class RefreshingCache<Value extends object> {
  private readonly entries: LRUCache<string, Entry<Value>>;
  private due = new Map<string, Entry<Value>>();
  private removalCount = 0;

  constructor(private readonly options: Options<Value>) {
    this.entries = new LRUCache({
      max: options.max,
      ttl: options.ttlMs,
      ttlResolution: 0,
      perf: { now: () => this.now() },
      dispose: ({ value }) => options.dispose?.(value),
    });
  }

  /**
   * Also remembers that the value is used.
   * @param maxAgeMs for a caller that accepts only values that are younger than the ttl
   */
  get(key: string, maxAgeMs = this.options.ttlMs): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    const { ttlMs, refreshMs } = this.options;
    const ageMs = this.now() - entry.since;
    if (!entry.isDue && ageMs >= (refreshMs * maxAgeMs) / ttlMs) this.addDue(key, entry);
    return ageMs <= maxAgeMs ? entry.value : undefined;
  }

  /** The value, which is read if it is not stored. @returns undefined if `readAll` leaves it out */
  async read(key: string): Promise<Value | undefined> {
    const known = this.get(key);
    if (known) return known;
    const [since, removalCount] = [this.now(), this.removalCount];
    const value = (await this.options.readAll([key])).get(key);
    // What was read before a removal serves this caller, but may be what was removed.
    if (value && removalCount === this.removalCount) this.set(key, value, since);
    return value;
  }

  /** Stores a value. @param since when its reading began, as `now` */
  set(key: string, value: Value, since = this.now()): void {
    this.entries.set(key, { value, since, isDue: false }, { start: since });
  }

  /** What is being read of this key is not stored either. */
  delete(key: string): void {
    this.removalCount++;
    this.entries.delete(key);
  }

  /** Removes the value if it is still the stored one. */
  deleteValue(key: string, value: Value): void {
    if (this.entries.peek(key)?.value === value) this.delete(key);
  }

  /** Removes all values of which this is true. */
  deleteWhere(isRemoved: (value: Value) => boolean): void {
    for (const [key, { value }] of this.entries.entries()) if (isRemoved(value)) this.delete(key);
  }

  /** In ms of the process: after the clock was set back, values must not seem young for as long. */
  now(): number {
    return this.options.clock.elapsedMs();
  }

  private addDue(key: string, entry: Entry<Value>): void {
    entry.isDue = true;
    if (this.due.size === 0) setTimeout(() => void this.refreshDue(), COLLECT_MS).unref();
    this.due.set(key, entry);
  }

  private async refreshDue(): Promise<void> {
    const due = [...this.due];
    this.due = new Map();
    for (let begin = 0; begin < due.length; begin += BATCH_SIZE) {
      const context = { request_id: randomUUID(), address: null };
      const refresh = () => this.refresh(due.slice(begin, begin + BATCH_SIZE));
      // If it fails, the values expire: then the next one to use them reads them and reports the error.
      await requestContext.run(context, () => runAsReservedBackgroundWork(refresh)).catch(() => {});
    }
  }

  private async refresh(batch: [string, Entry<Value>][]): Promise<void> {
    const since = this.now();
    const values = await this.options.readAll(batch.map(([key]) => key));
    for (const [key, entry] of batch) {
      // Something else was stored meanwhile, or the value was removed because it had changed.
      if (this.entries.peek(key) !== entry) continue;
      const value = values.get(key);
      if (value) this.set(key, value, since);
      else this.delete(key);
    }
  }
}
