import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock/clock';
import { Database, type Statement } from './database';
import { Page, type PageQuery, pageWindow } from '../http/lists/pagination';

/** Beyond this many matches a total is counted at most every TOTAL_TTL_MS. */
const EXACT_UP_TO = 1000;
const TOTAL_TTL_MS = 5000;

/** Conditions of a WHERE clause with their values numbered along the way. */
export class Filter {
  readonly values: unknown[] = [];
  /** What tells this filter from others; its values without those that change from moment to moment. */
  readonly identity: unknown[] = [];
  private readonly conditions: string[] = [];

  /** Adds a condition in which every `?` stands for `value`. */
  and(condition: string, value: unknown): this {
    this.identity.push(value);
    return this.add(condition, value);
  }

  /** A value that the columns refer to by its number; it chooses no rows. */
  parameter(type: string, value: unknown): this {
    return this.add(`?::${type} IS NOT NULL`, value);
  }

  private add(condition: string, value: unknown): this {
    this.values.push(value);
    this.conditions.push(condition.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  /** As `and`, unless the value was not given. */
  andIf(condition: string, value: unknown): this {
    return value === undefined || value === null ? this : this.and(condition, value);
  }

  get sql(): string {
    return this.conditions.length > 0 ? `WHERE ${this.conditions.join(' AND ')}` : '';
  }
}

export interface ListSource {
  /** The columns of the response, as SQL. */
  select: string;
  /** The FROM clause with the joins that the columns need. */
  from: string;
  /** The FROM clause that counting needs, when fewer joins will do. */
  countFrom?: string;
  filter: Filter;
  /** Each sort_by value as SQL. */
  sortable: Record<string, string>;
  /** Breaks ties, so that pages never repeat or lose a row. */
  id: string;
}

interface Total {
  total: number;
}

/** Serves pages of lists: one round trip, one statement for the rows and one for the total. */
@Injectable()
export class ListQuery {
  private readonly totals: LRUCache<string, Promise<number>>;

  constructor(
    private readonly database: Database,
    clock: Clock,
  ) {
    this.totals = new LRUCache({
      max: 1000,
      ttl: TOTAL_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  async page<Item extends object>(
    tenantId: string,
    source: ListSource,
    query: PageQuery,
  ): Promise<Page<Item>> {
    const key = `${tenantId} ${source.from} ${source.filter.sql} ${JSON.stringify(source.filter.identity)}`;
    const known = this.totals.get(key);
    const rows = rowsStatement(source, query);
    if (known !== undefined) {
      const [items] = await this.database.readTenant<[Item]>(tenantId, [rows]);
      return new Page(items, query, await known);
    }
    const [items, counts] = await this.database.readTenant<[Item, Total]>(tenantId, [
      rows,
      countStatement(source, EXACT_UP_TO + 1),
    ]);
    const counted = counts[0]?.total ?? 0;
    return new Page(
      items,
      query,
      counted > EXACT_UP_TO ? await this.countAll(tenantId, source, key) : counted,
    );
  }

  /** Counts a large list once for all who ask within the next 5 s, those who ask meanwhile included. */
  private countAll(tenantId: string, source: ListSource, key: string): Promise<number> {
    const underWay = this.totals.get(key);
    if (underWay) return underWay;
    const counting = this.count(tenantId, source);
    this.totals.set(key, counting);
    counting.catch(() => this.totals.delete(key));
    return counting;
  }

  private async count(tenantId: string, source: ListSource): Promise<number> {
    const [counts] = await this.database.readTenant<[Total]>(tenantId, [countStatement(source)]);
    return counts[0]?.total ?? 0;
  }
}

export function rowsStatement(source: ListSource, query: PageQuery): Statement {
  const { page_size, offset } = pageWindow(query);
  const { text, values } = sortedStatement(source, query);
  return {
    text: `${text} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    values: [...values, page_size, offset],
  };
}

/** The whole list in its order. */
export function sortedStatement(
  source: ListSource,
  { sort_by, sort_order }: Pick<PageQuery, 'sort_by' | 'sort_order'>,
): Required<Pick<Statement, 'text' | 'values'>> {
  const { values, sql } = source.filter;
  const direction = sort_order === 'asc' ? 'ASC' : 'DESC';
  return {
    text: `SELECT ${source.select} FROM ${source.from} ${sql}
      ORDER BY ${source.sortable[sort_by]} ${direction}, ${source.id} ${direction}`,
    values,
  };
}

function countStatement(source: ListSource, limit?: number): Statement {
  const { values, sql } = source.filter;
  const matches = `SELECT FROM ${source.countFrom ?? source.from} ${sql}`;
  return {
    text: `SELECT count(*)::int AS total FROM (${matches} ${limit ? `LIMIT ${limit}` : ''}) AS matches`,
    values,
  };
}
