import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock/clock';
import { CountConnectionLimiter } from './connections/count-connection-limiter';
import { Database } from './database';
import { countStatement, type ListSource } from './list-statements';
import type { Statement } from './statement';

/** Lists up to this length are counted for every page; longer ones once in COUNT_TTL_MS. */
export const MAX_EXACT_COUNT = 1000;
const COUNT_TTL_MS = 5000;
const MAX_CACHED_COUNTS = 1000;
/** How old a count may be while the company's large reads have used up their budget: longer than it waits at most. */
const FORMER_TTL_MS = 15_000;

export interface CountRow {
  total_count: number;
}

/** Counts lists that are no searches. A long list is counted on a connection of its own limit. */
@Injectable()
export class ListCounts {
  /** A count in progress is shared by the requests that need it. */
  private readonly counts: LRUCache<string, Promise<number>>;
  private readonly former: LRUCache<string, number>;

  constructor(
    private readonly database: Database,
    private readonly connections: CountConnectionLimiter,
    clock: Clock,
  ) {
    this.counts = new LRUCache({
      max: MAX_CACHED_COUNTS,
      ttl: COUNT_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.elapsedMs() },
    });
    this.former = new LRUCache({
      max: MAX_CACHED_COUNTS,
      ttl: FORMER_TTL_MS,
      perf: { now: () => clock.elapsedMs() },
    });
  }

  /** The count of a long list, at most 5 s old; undefined if it is not known. */
  cached(tenantId: string, source: ListSource): Promise<number> | undefined {
    return this.counts.get(keyOf(tenantId, source));
  }

  /** Keeps the count of a long list. */
  keep(tenantId: string, source: ListSource, count: number): void {
    if (count <= MAX_EXACT_COUNT) return;
    const key = keyOf(tenantId, source);
    this.counts.set(key, Promise.resolve(count));
    this.former.set(key, count);
  }

  /** Counts at most MAX_EXACT_COUNT + 1 rows. */
  boundedStatement(source: ListSource): Statement {
    return countStatement(source, MAX_EXACT_COUNT + 1);
  }

  /**
   * @param counts the result of boundedStatement
   * @returns the number of rows of the list
   */
  async complete(tenantId: string, source: ListSource, [row]: CountRow[]): Promise<number> {
    const count = row?.total_count ?? 0;
    return count > MAX_EXACT_COUNT ? this.countLong(tenantId, source) : count;
  }

  private countLong(tenantId: string, source: ListSource): Promise<number> {
    const key = keyOf(tenantId, source);
    const cached = this.counts.get(key);
    if (cached) return cached;
    // After a long export or report, lists go on with a total that is some seconds older.
    const former = this.former.get(key);
    if (former !== undefined && this.connections.mustWait(tenantId)) return Promise.resolve(former);
    const count = this.connections.run(tenantId, async () => {
      const [[row]] = await this.database.readTenant<[CountRow]>(tenantId, [countStatement(source)]);
      return row?.total_count ?? 0;
    });
    this.counts.set(key, count);
    count.then(
      (total) => this.former.set(key, total),
      () => this.counts.delete(key),
    );
    return count;
  }
}

const keyOf = (tenantId: string, { from, filter }: ListSource) =>
  `${tenantId} ${from} ${filter.sql} ${JSON.stringify(filter.identity)}`;
