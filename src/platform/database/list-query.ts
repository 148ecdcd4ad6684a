import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock/clock';
import { TenantConnectionLimiter } from './connections/tenant-connection-limiter';
import { Database } from './database';
import { countStatement, type ListSource, pageStatement } from './list-statements';
import { Page, type PageRequest, pageWindow } from './page';

/** Lists up to this length are counted for every page; longer ones once in COUNT_TTL_MS. */
const MAX_EXACT_COUNT = 1000;
const COUNT_TTL_MS = 5000;
const MAX_CACHED_COUNTS = 1000;
/** PostgreSQL reads all rows before a page, so pages behind this many rows are slow. */
const DEEP_OFFSET = 1000n;

interface CandidatesRow {
  ids: string[] | null;
}

interface CountRow {
  total_count: number;
}

/**
 * Reads pages of lists. Searches of text and deep pages share some of the connections, so that the rest stay free; each
 * tenant reads one of them at a time, so that it does not delay those of others.
 */
@Injectable()
export class ListQuery {
  /** The counts of long lists; a count in progress is shared by the requests that need it. */
  private readonly counts: LRUCache<string, Promise<number>>;

  constructor(
    private readonly database: Database,
    private readonly connections: TenantConnectionLimiter,
    clock: Clock,
  ) {
    this.counts = new LRUCache({
      max: MAX_CACHED_COUNTS,
      ttl: COUNT_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  /**
   * One page of the tenant's list; empty after the last one. Above 1,000 rows its total count may be up to 5 s old.
   * @throws ConnectionLimitError when too many searches and deep pages are being read
   */
  page<Item extends object>(tenantId: string, source: ListSource, request: PageRequest): Promise<Page<Item>> {
    const read = async () => {
      await this.narrow(tenantId, source);
      return this.read<Item>(tenantId, source, request);
    };
    const isSlow = source.filter.isSearch || offsetOf(request) > DEEP_OFFSET;
    return isSlow ? this.connections.run(tenantId, read) : read();
  }

  /** Restricts the list to its candidates, unless they are too many. */
  private async narrow(tenantId: string, { candidates, filter, id }: ListSource): Promise<void> {
    if (!candidates) return;
    const [rows] = await this.database.readTenant<[CandidatesRow]>(tenantId, [candidates]);
    filter.andIf(`${id} = ANY (?)`, rows[0]?.ids);
  }

  private async read<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
  ): Promise<Page<Item>> {
    const offset = offsetOf(request);
    const key = `${tenantId} ${source.from} ${source.filter.sql} ${JSON.stringify(source.filter.identity)}`;
    const isCounted = this.counts.has(key);
    if (offset === 0n && !isCounted) return this.firstPage(tenantId, source, request, key);
    // The count comes first, because a page after the end must not be read.
    const count = isCounted
      ? await this.cachedCount(tenantId, source, key)
      : await this.totalCount(tenantId, source, key);
    if (offset >= count) return new Page<Item>([], request, count);
    const [items] = await this.database.readTenant<[Item]>(tenantId, [pageStatement(source, request)]);
    return new Page(items, request, count);
  }

  /** Rows and count in one round trip. */
  private async firstPage<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
    key: string,
  ): Promise<Page<Item>> {
    const [items, counts] = await this.database.readTenant<[Item, CountRow]>(tenantId, [
      pageStatement(source, request),
      countStatement(source, MAX_EXACT_COUNT + 1),
    ]);
    return new Page(items, request, await this.complete(tenantId, source, key, counts));
  }

  private async totalCount(tenantId: string, source: ListSource, key: string): Promise<number> {
    const statement = countStatement(source, MAX_EXACT_COUNT + 1);
    const [counts] = await this.database.readTenant<[CountRow]>(tenantId, [statement]);
    return this.complete(tenantId, source, key, counts);
  }

  /** The total count, from a count that ended after MAX_EXACT_COUNT + 1 rows. */
  private async complete(
    tenantId: string,
    source: ListSource,
    key: string,
    [row]: CountRow[],
  ): Promise<number> {
    const count = row?.total_count ?? 0;
    return count > MAX_EXACT_COUNT ? this.cachedCount(tenantId, source, key) : count;
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

const offsetOf = (request: PageRequest): bigint => BigInt(pageWindow(request).offset);
