import { toSingleLine } from '../platform/text/single-line';

/** A value as people read it. Names are chosen by strangers, and a terminal obeys control characters. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return toSingleLine(typeof value === 'string' ? value : JSON.stringify(value));
}

const widthOf = (texts: string[]): number => Math.max(...texts.map((text) => [...text].length));
const padded = (text: string, width: number): string => text + ' '.repeat(width - [...text].length);

/** Rows of the same columns, with their names above. */
export function table(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => Object.values(row).map(cell))];
  const widths = names.map((_, column) => widthOf(lines.map((line) => line[column] ?? '')));
  return lines
    .map((line) =>
      line
        .map((text, column) => padded(text, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** One thing's values, a line each; what is nested goes by its path. */
export function details(thing: object): string {
  const lines = flat(thing);
  const width = widthOf(lines.map(([name]) => name));
  return lines.map(([name, value]) => `${padded(name, width)}  ${cell(value)}\n`).join('');
}

function flat(thing: object, path = ''): [string, unknown][] {
  return Object.entries(thing).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value, `${path}${name}.`)
      : [[`${path}${name}`, value] satisfies [string, unknown]],
  );
}
