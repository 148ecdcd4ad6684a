import { toSingleLine } from '../platform/text/single-line';

/** Formats a value for a terminal. Control characters are removed: customers choose some of the names. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return toSingleLine(typeof value === 'string' ? value : JSON.stringify(value));
}

const widthOf = (texts: string[]): number => Math.max(...texts.map((text) => [...text].length));
const pad = (text: string, width: number): string => text + ' '.repeat(width - [...text].length);

/** Formats rows with the same columns as a table with a header line. */
export function formatTable(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => Object.values(row).map(formatValue))];
  const widths = names.map((_, column) => widthOf(lines.map((line) => line[column] ?? '')));
  return lines
    .map((line) =>
      line
        .map((text, column) => pad(text, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Formats an object with one line per value; nested values are named by their path. */
export function formatDetails(object: object): string {
  const lines = flatten(object);
  const width = widthOf(lines.map(([name]) => name));
  return lines.map(([name, value]) => `${pad(name, width)}  ${formatValue(value)}\n`).join('');
}

function flatten(object: object, path = ''): [string, unknown][] {
  return Object.entries(object).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value, `${path}${name}.`)
      : [[`${path}${name}`, value] satisfies [string, unknown]],
  );
}
