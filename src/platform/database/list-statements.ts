import type { Statement } from './statement';
import type { Filter } from './filter';
import { type PageRequest, pageWindow } from './page';

/** The SQL parts of a list. */
export interface ListSource {
  /** The columns of the response. */
  select: string;
  /** The FROM clause with the joins that the columns need. */
  from: string;
  /** The FROM clause for counting, where fewer joins are enough. */
  countFrom?: string;
  filter: Filter;
  /**
   * Looks a search up in an index that its conditions cannot use. Selects one row with `ids`: those of all rows that
   * can be in the list, or NULL if they are too many, when reading row by row is faster.
   */
  candidates?: Statement;
  /** Each value of sort_by as an expression. */
  sortable: Record<string, string>;
  /**
   * The values of sort_by whose order an index has; they are never null. A page of a long list in any other order reads
   * and sorts all rows.
   */
  indexedSorts?: readonly string[];
  /**
   * Whether an index returns the filtered rows in the order of each of indexedSorts, whatever the values of the filter
   * are. The first page is then prepared (preparedPage).
   */
  isIndexed?: boolean;
  /** Whether even the first page and a short list read many rows, because they are computed from all rows of a table. */
  readsAllRows?: boolean;
  /** A unique expression that makes the order total, so that pages neither repeat nor skip a row. */
  id: string;
}

type ListStatement = Statement & Required<Pick<Statement, 'values'>>;

/** Selects one page. */
export function pageStatement(source: ListSource, request: PageRequest): ListStatement {
  const { page_size, offset } = pageWindow(request);
  const { text, values } = sortedStatement(source, request);
  return {
    text: `${text} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    values: [...values, page_size, offset],
    isDynamic: true,
  };
}

/** Selects the whole list in its order, null last. What an index sorts is never null, and has no other order of nulls. */
export function sortedStatement(
  source: ListSource,
  { sort_by, sort_order }: Pick<PageRequest, 'sort_by' | 'sort_order'>,
): ListStatement {
  const { values, sql } = source.filter;
  const direction = sort_order === 'asc' ? 'ASC' : 'DESC';
  const nulls = source.indexedSorts?.includes(sort_by) ? '' : 'NULLS LAST';
  return {
    text: `SELECT ${source.select} FROM ${source.from} ${sql}
      ORDER BY ${source.sortable[sort_by]} ${direction} ${nulls}, ${source.id} ${direction}`,
    values,
    isDynamic: true,
  };
}

/** Counts the list as `total_count`, up to `limit` rows if given. */
export function countStatement(source: ListSource, limit?: number): ListStatement {
  const { values, sql } = source.filter;
  const matches = `SELECT FROM ${source.countFrom ?? source.from} ${sql}`;
  return {
    text: `SELECT count(*)::int AS total_count FROM (${matches} ${limit ? `LIMIT ${limit}` : ''}) AS matches`,
    values,
    isDynamic: true,
  };
}
