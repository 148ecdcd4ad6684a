import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock/clock';
import { LargeReads } from './connections/large-reads';
import { Database } from './database';
import { countStatement, type ListSource } from './list-statements';
import type { Statement } from './statement';

/** Lists up to this length are counted for every page; longer ones once in COUNT_TTL_MS. */
export const MAX_EXACT_COUNT = 1000;
const COUNT_TTL_MS = 5000;
const MAX_CACHED_COUNTS = 1000;

export interface CountRow {
  total_count: number;
}

/** Counts lists that are no searches. */
@Injectable()
export class ListCounts {
  /** A count in progress is shared by the requests that need it. */
  private readonly counts: LRUCache<string, Promise<number>>;

  constructor(
    private readonly database: Database,
    private readonly largeReads: LargeReads,
    clock: Clock,
  ) {
    this.counts = new LRUCache({
      max: MAX_CACHED_COUNTS,
      ttl: COUNT_TTL_MS,
      ttlResolution: 0,
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
    this.counts.set(keyOf(tenantId, source), Promise.resolve(count));
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
    const count = this.largeReads.read(tenantId, async () => {
      const [[row]] = await this.database.readTenant<[CountRow]>(tenantId, [countStatement(source)]);
      return row?.total_count ?? 0;
    });
    this.counts.set(key, count);
    count.catch(() => this.counts.delete(key));
    return count;
  }
}

const keyOf = (tenantId: string, { from, filter }: ListSource) =>
  `${tenantId} ${from} ${filter.sql} ${JSON.stringify(filter.identity)}`;
