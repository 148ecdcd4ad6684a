import { isoTimestamp } from '../platform/database/columns';
import type { Statement } from '../platform/database/statement';

/** The content of a column. `plain` is written as it is: ids, numbers, enum values, JSON objects. */
export type CellKind = 'plain' | 'boolean' | 'timestamp' | 'text';

/** The columns of an export, in its order. */
export type CsvColumns = Record<string, CellKind>;

const CELL_SQL: Record<CellKind, (column: string) => string> = {
  plain: (column) => column,
  boolean: (column) => `${column}::text AS ${column}`,
  timestamp: (column) => `${isoTimestamp(column)} AS ${column}`,
  text: (column) => `${escapeFormula(column)} AS ${column}`,
};

/**
 * Characters that are not displayed: control characters, blanks other than the space, and Unicode's default ignorable
 * code points. A spreadsheet may remove them, or not show that a text begins with one.
 */
const INVISIBLE = String.raw`\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff`;

/** A text that a spreadsheet may evaluate as a formula (OWASP, CSV injection), as a regular expression of PostgreSQL. */
const FORMULA = String.raw`^[${INVISIBLE}]*[-=+@\t\r\n]`;

/** Puts an apostrophe before a formula. NUL needs no escape, because text in PostgreSQL cannot contain it. */
function escapeFormula(column: string): string {
  return `CASE WHEN ${column} ~ '${FORMULA}' THEN '''' || ${column} ELSE ${column} END`;
}

/** Selects the rows of `statement` in their order, with values formatted as in the API and formulas escaped. */
export function csvStatement({ text, values }: Statement, columns: CsvColumns): Statement {
  const cells = Object.entries(columns).map(([column, cell]) => CELL_SQL[cell](column));
  return { text: `SELECT ${cells.join(', ')} FROM (${text}) AS listed`, values };
}
