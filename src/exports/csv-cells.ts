import type { Statement } from '../platform/database/statement';

/** The content of a column. `plain` is written as it is: ids, numbers, enum values, JSON objects. */
export type CellKind = 'plain' | 'boolean' | 'timestamp' | 'text';

/** The columns of an export, in its order. */
export type CsvColumns = Record<string, CellKind>;

const CELL_SQL: Record<CellKind, (column: string) => string> = {
  plain: (column) => column,
  boolean: (column) => `${column}::text AS ${column}`,
  timestamp: (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`,
  text: (column) => `${escapeFormula(column)} AS ${column}`,
};

/**
 * Puts an apostrophe before text that a spreadsheet would evaluate as a formula (OWASP, CSV injection). A leading NUL
 * needs no escape, because text in PostgreSQL cannot contain one.
 */
function escapeFormula(column: string): string {
  const isFormula = `left(${column}, 1) IN ('=', '+', '-', '@', E'\\t', E'\\r', E'\\n')`;
  return `CASE WHEN ${isFormula} THEN '''' || ${column} ELSE ${column} END`;
}

/** Selects the rows of `statement` in their order, with values formatted as in the API and formulas escaped. */
export function csvStatement({ text, values }: Statement, columns: CsvColumns): Statement {
  const cells = Object.entries(columns).map(([column, cell]) => CELL_SQL[cell](column));
  return { text: `SELECT ${cells.join(', ')} FROM (${text}) AS listed`, values };
}
