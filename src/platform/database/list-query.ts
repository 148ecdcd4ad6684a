import { Injectable } from '@nestjs/common';
import { LargeReads } from './connections/large-reads';
import { Database } from './database';
import { type CountRow, ListCounts, MAX_EXACT_COUNT } from './list-counts';
import { countStatement, type ListSource, pageStatement } from './list-statements';
import { Page, type PageRequest, pageWindow } from './page';
import { preparedPage } from './prepared-page';
import { settingsStatement } from './scope';
import type { Statement } from './statement';

/** PostgreSQL reads all rows before a page, so pages behind this many rows are slow. */
const DEEP_OFFSET = 1000n;

interface CandidatesRow {
  ids: string[] | null;
}

/**
 * Reads pages of lists. Slow reads wait for their company's turn (LargeReads): searches of text, deep pages, pages of lists
 * above 1,000 rows in an order without an index, and the total counts of such lists (ListCounts).
 */
@Injectable()
export class ListQuery {
  constructor(
    private readonly database: Database,
    private readonly largeReads: LargeReads,
    private readonly counts: ListCounts,
  ) {}

  /**
   * One page of the tenant's list; empty after the last one. Above 1,000 rows its total count may be up to 5 s old.
   * @throws ConnectionLimitError when too many slow reads are in progress
   */
  async page<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
  ): Promise<Page<Item>> {
    if (source.filter.isSearch || source.readsAllRows === true) {
      // Not during the turn: a count that is in progress may wait for one.
      const known = await this.counts.cached(tenantId, source);
      return this.largeReads.read(tenantId, () => this.slowPage<Item>(tenantId, source, request, known));
    }
    const offset = offsetOf(request);
    const isSorted = source.indexedSorts?.includes(request.sort_by) ?? false;
    const isDeep = offset > DEEP_OFFSET;
    const cached = this.counts.cached(tenantId, source);
    if (offset === 0n && !cached && isSorted) return this.firstPage(tenantId, source, request);
    // The count comes first: a page after the end must not be read, and sorting is slow only for a long list.
    const count = await (cached ?? this.count(tenantId, source, isDeep));
    if (offset >= count) return new Page<Item>([], request, count);
    const isSlow = isDeep || (!isSorted && count > MAX_EXACT_COUNT);
    const isPrepared = offset === 0n && isSorted && source.isIndexed === true;
    const statement = isPrepared ? preparedPage(source, request) : pageStatement(source, request);
    const [items] = await this.read<Item>(tenantId, statement, isSlow);
    return new Page(items, request, count);
  }

  /** Rows and count in one round trip. */
  private async firstPage<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
  ): Promise<Page<Item>> {
    const count = this.counts.boundedStatement(source);
    const { settings, ...page } = source.isIndexed
      ? preparedPage(source, request)
      : pageStatement(source, request);
    // The count comes first and gets the best plan for its values: the settings are good for the page only.
    const [counts, ...others] = await this.database.readTenant<[CountRow, ...Item[]]>(tenantId, [
      count,
      ...(settings ? [settingsStatement(settings)] : []),
      page,
    ]);
    return new Page(others.at(-1) ?? [], request, await this.counts.complete(tenantId, source, counts));
  }

  private async count(tenantId: string, source: ListSource, isSlow: boolean): Promise<number> {
    const [counts] = await this.read<CountRow>(tenantId, this.counts.boundedStatement(source), isSlow);
    return this.counts.complete(tenantId, source, counts);
  }

  /** A slow read waits for the tenant's turn. No other read may be awaited during one, because it could wait for it. */
  private read<Row extends object>(
    tenantId: string,
    statement: Statement,
    isSlow: boolean,
  ): Promise<[Row[]]> {
    const read = () => this.database.readTenant<[Row]>(tenantId, [statement]);
    return isSlow ? this.largeReads.read(tenantId, read) : read();
  }

  /**
   * A page of a list that is slow to read, with its candidates and its count: further turns could come so late that the
   * request fails. Runs during the tenant's turn, so it must not wait for another one.
   */
  private async slowPage<Item extends object>(
    tenantId: string,
    source: ListSource,
    request: PageRequest,
    known: number | undefined,
  ): Promise<Page<Item>> {
    const offset = offsetOf(request);
    await this.restrictToCandidates(tenantId, source);
    const [page, total] = [pageStatement(source, request), countStatement(source)];
    if (known === undefined && offset === 0n) {
      const [items, counts] = await this.database.readTenant<[Item, CountRow]>(tenantId, [page, total]);
      return new Page(items, request, this.kept(tenantId, source, counts));
    }
    const count = known ?? (await this.countSlow(tenantId, source));
    if (offset >= count) return new Page<Item>([], request, count);
    const [items] = await this.database.readTenant<[Item]>(tenantId, [page]);
    return new Page(items, request, count);
  }

  /** Restricts a search to its candidates, unless they are too many. */
  private async restrictToCandidates(
    tenantId: string,
    { candidates, filter, id }: ListSource,
  ): Promise<void> {
    if (!candidates) return;
    const [rows] = await this.database.readTenant<[CandidatesRow]>(tenantId, [candidates]);
    filter.andIf(`${id} = ANY (?)`, rows[0]?.ids);
  }

  private async countSlow(tenantId: string, source: ListSource): Promise<number> {
    const [counts] = await this.database.readTenant<[CountRow]>(tenantId, [countStatement(source)]);
    return this.kept(tenantId, source, counts);
  }

  private kept(tenantId: string, source: ListSource, [row]: CountRow[]): number {
    const count = row?.total_count ?? 0;
    this.counts.keep(tenantId, source, count);
    return count;
  }
}

const offsetOf = (request: PageRequest): bigint => BigInt(pageWindow(request).offset);
