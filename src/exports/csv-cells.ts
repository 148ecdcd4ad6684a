import type { Statement } from '../platform/database/statement';

/** What a column holds. `plain` needs nothing: ids, numbers, words of a fixed set, JSON objects. */
export type Cell = 'plain' | 'boolean' | 'moment' | 'text';

/** The columns of an export in their order. */
export type Columns = Record<string, Cell>;

const SQL: Record<Cell, (column: string) => string> = {
  plain: (column) => column,
  boolean: (column) => `${column}::text AS ${column}`,
  moment: (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`,
  text: (column) => `${defused(column)} AS ${column}`,
};

/**
 * Text as a spreadsheet may have it: what it would take for a formula has an apostrophe before it (OWASP, CSV
 * injection). PostgreSQL's text holds no NUL.
 */
function defused(column: string): string {
  const begins = `left(${column}, 1) IN ('=', '+', '-', '@', E'\\t', E'\\r', E'\\n')`;
  return `CASE WHEN ${begins} THEN '''' || ${column} ELSE ${column} END`;
}

/** The rows of `statement` in their order, with its columns written as the API writes them, and defused. */
export function asCells({ text, values }: Statement, columns: Columns): Statement {
  const cells = Object.entries(columns).map(([column, cell]) => SQL[cell](column));
  return { text: `SELECT ${cells.join(', ')} FROM (${text}) AS listed`, values };
}
