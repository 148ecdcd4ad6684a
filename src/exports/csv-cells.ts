import { isoTimestamp } from '../platform/database/columns';
import type { CsvSeparator } from './copy-out';
import type { Statement } from '../platform/database/statement';

/** The content of a column. `plain` is written as it is: ids, numbers, enum values. */
export type CellKind = 'plain' | 'boolean' | 'timestamp' | 'text' | 'phone' | 'json';

/** The columns of an export, in its order. */
export type CsvColumns = Record<string, CellKind>;

const CELL_SQL: Record<CellKind, (column: string, escape: (text: string) => string) => string> = {
  plain: (column) => column,
  boolean: (column) => `${column}::text AS ${column}`,
  timestamp: (column) => `${isoTimestamp(column)} AS ${column}`,
  text: (column, escape) => `${escape(column)} AS ${column}`,
  phone: (column, escape) =>
    `CASE WHEN ${column} ~ '${PHONE}' THEN ${column} ELSE ${escape(column)} END AS ${column}`,
  json: (column, escape) => `${escape(`${column}::text`)} AS ${column}`,
};

/**
 * Characters that are not displayed: control characters, blanks, and Unicode's default ignorable code points. A
 * spreadsheet may remove them, or not show that a text begins with one.
 */
const INVISIBLE = String.raw`\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff`;

/** What a formula begins with, also in the full-width form of East Asian keyboards, which spreadsheets take for the same. */
const SIGN = String.raw`-=+@\uff0d\uff1d\uff0b\uff20`;

/**
 * Where a text has what a spreadsheet may evaluate as a formula (OWASP, CSV injection), as regular expressions of
 * PostgreSQL: at its beginning, and where a spreadsheet that splits at the other separator than the file's begins a new cell
 * or row. It removes quotation marks at the beginning of a cell.
 */
const AT_BEGINNING = String.raw`^(?=[${INVISIBLE}]*[${SIGN}\t\r\n])`;
const AFTER_SEPARATOR = {
  ',': String.raw`[;\r\n]+(?=[${INVISIBLE}"]*[${SIGN}])`,
  ';': String.raw`[,;\r\n]+(?=[${INVISIBLE}"]*[${SIGN}])`,
} as const;

/**
 * A phone as people write it. Behind a + it has digits only, or two groups of them with a blank between: `+1-1` would be
 * evaluated, `+1 1-1` is no formula.
 */
const PHONE = String.raw`^(?:\+?[0-9]+|[0-9(][-0-9 ().]*|\+(?=[0-9(])(?=[-0-9 ().]*[0-9)] +[0-9(])[-0-9 ().]*)$`;

/** Puts an apostrophe before each formula. NUL needs no escape, because text in PostgreSQL cannot contain it. */
const escapeFormulas = (text: string, separator: CsvSeparator): string =>
  `regexp_replace(regexp_replace(${text}, '${AFTER_SEPARATOR[separator]}', '\\&''', 'g'), '${AT_BEGINNING}', '''')`;

/** Selects the rows of `statement` in their order, with values formatted as in the API and formulas escaped. */
export function csvStatement(
  { text, values }: Statement,
  columns: CsvColumns,
  separator: CsvSeparator,
): Statement {
  const escape = (cell: string): string => escapeFormulas(cell, separator);
  const cells = Object.entries(columns).map(([column, cell]) => CELL_SQL[cell](column, escape));
  return { text: `SELECT ${cells.join(', ')} FROM (${text}) AS listed`, values };
}
