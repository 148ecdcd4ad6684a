import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock/clock';
import { Database } from './database';
import { countStatement, type ListSource, pageStatement } from './list-statements';
import { Page, type PageRequest } from './page';

/** Lists up to this length are counted for every page; longer ones once in COUNT_TTL_MS. */
const MAX_EXACT_COUNT = 1000;
const COUNT_TTL_MS = 5000;
const MAX_CACHED_COUNTS = 1000;

interface CountRow {
  total_count: number;
}

/** Reads pages of lists: the rows and the total count in one round trip. */
@Injectable()
export class ListQuery {
  /** The counts of long lists; a count in progress is shared by the requests that need it. */
  private readonly counts: LRUCache<string, Promise<number>>;

  constructor(
    private readonly database: Database,
    clock: Clock,
  ) {
    this.counts = new LRUCache({
      max: MAX_CACHED_COUNTS,
      ttl: COUNT_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  /** One page of the tenant's list. Above 1,000 rows its total count may be up to 5 s old. */
  async page<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
  ): Promise<Page<Item>> {
    const key = `${tenantId} ${source.from} ${source.filter.sql} ${JSON.stringify(source.filter.identity)}`;
    const cached = this.counts.get(key);
    const rows = pageStatement(source, request);
    if (cached !== undefined) {
      const [items] = await this.database.readTenant<[Item]>(tenantId, [rows]);
      return new Page(items, request, await cached);
    }
    const [items, counts] = await this.database.readTenant<[Item, CountRow]>(tenantId, [
      rows,
      countStatement(source, MAX_EXACT_COUNT + 1),
    ]);
    const count = counts[0]?.total_count ?? 0;
    return new Page(
      items,
      request,
      count > MAX_EXACT_COUNT ? await this.cachedCount(tenantId, source, key) : count,
    );
  }

  private cachedCount(tenantId: string, source: ListSource, key: string): Promise<number> {
    const cached = this.counts.get(key);
    if (cached) return cached;
    const count = this.count(tenantId, source);
    this.counts.set(key, count);
    count.catch(() => this.counts.delete(key));
    return count;
  }

  private async count(tenantId: string, source: ListSource): Promise<number> {
    const [counts] = await this.database.readTenant<[CountRow]>(tenantId, [countStatement(source)]);
    return counts[0]?.total_count ?? 0;
  }
}
