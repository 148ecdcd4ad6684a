import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock/clock';
import { TenantConnectionLimiter } from './connections/tenant-connection-limiter';
import { Database } from './database';
import { countStatement, type ListSource, pageStatement } from './list-statements';
import type { RowsOf } from './pipelined-read';
import type { Statement } from './statement';
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
 * Reads pages of lists. Slow reads share some of the connections, so that the rest stay free; each tenant has one of them
 * at a time, so that it does not delay others. Slow are searches of text, deep pages, and of lists above 1,000 rows the
 * total count and pages in an order without an index.
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
   * @throws ConnectionLimitError when too many slow reads are in progress
   */
  async page<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
  ): Promise<Page<Item>> {
    const offset = offsetOf(request);
    const isSlow = source.filter.isSearch || source.readsAllRows === true || offset > DEEP_OFFSET;
    const isSorted = source.indexedSorts?.includes(request.sort_by) ?? false;
    await this.narrow(tenantId, source);
    const key = `${tenantId} ${source.from} ${source.filter.sql} ${JSON.stringify(source.filter.identity)}`;
    const cachedCount = this.counts.get(key);
    if (offset === 0n && cachedCount === undefined && (isSlow || isSorted)) {
      return this.firstPage(tenantId, source, request, key, isSlow);
    }
    // The count comes first: a page after the end must not be read, and sorting is slow only for a long list.
    const count = await (cachedCount ?? this.totalCount(tenantId, source, key, isSlow));
    if (offset >= count) return new Page<Item>([], request, count);
    const isSlowPage = isSlow || (!isSorted && count > MAX_EXACT_COUNT);
    const [items] = await this.read<[Item]>(tenantId, [pageStatement(source, request)], isSlowPage);
    return new Page(items, request, count);
  }

  /** Restricts the list to its candidates, unless they are too many. */
  private async narrow(tenantId: string, { candidates, filter, id }: ListSource): Promise<void> {
    if (!candidates) return;
    const [rows] = await this.read<[CandidatesRow]>(tenantId, [candidates], true);
    filter.andIf(`${id} = ANY (?)`, rows[0]?.ids);
  }

  /** Rows and count in one round trip. */
  private async firstPage<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
    key: string,
    isSlow: boolean,
  ): Promise<Page<Item>> {
    const statements = [pageStatement(source, request), countStatement(source, MAX_EXACT_COUNT + 1)];
    const [items, counts] = await this.read<[Item, CountRow]>(tenantId, statements, isSlow);
    return new Page(items, request, await this.complete(tenantId, source, key, counts));
  }

  private async totalCount(
    tenantId: string,
    source: ListSource,
    key: string,
    isSlow: boolean,
  ): Promise<number> {
    const statement = countStatement(source, MAX_EXACT_COUNT + 1);
    const [counts] = await this.read<[CountRow]>(tenantId, [statement], isSlow);
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
    const [counts] = await this.read<[CountRow]>(tenantId, [countStatement(source)], true);
    return counts[0]?.total_count ?? 0;
  }

  /** A slow read waits for the tenant's turn. No other read may be awaited during one, because it could wait for it. */
  private read<Rows extends object[]>(
    tenantId: string,
    statements: Statement[],
    isSlow: boolean,
  ): Promise<RowsOf<Rows>> {
    const read = () => this.database.readTenant<Rows>(tenantId, statements);
    return isSlow ? this.connections.run(tenantId, read) : read();
  }
}

const offsetOf = (request: PageRequest): bigint => BigInt(pageWindow(request).offset);
