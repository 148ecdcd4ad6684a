import { instantOf } from '../../../ui/wall-time';
import type { NewLink } from '../use-links';
import { cellsOf } from './csv.rules';

/** In the order in which they are read when no row names them. */
export const BATCH_COLUMNS = ['label', 'department', 'max_uses', 'expires_at', 'priority'] as const;

export type BatchColumn = (typeof BATCH_COLUMNS)[number];

export type BatchProblem = BatchColumn | 'too_many';

export interface BatchLine {
  /** From 1. */
  number: number;
  text: string;
  link: NewLink;
  /** The columns that cannot be read. */
  problems: BatchProblem[];
}

interface BatchOptions {
  /** What holds for a line that does not say otherwise. */
  defaults: NewLink;
  departments: readonly { value: string; label: string }[];
  /** The IANA name of the zone of times without one. */
  zone: string;
}

const MAX_LABEL = 255;
const MAX_USES = 2_147_483_647;
const MAX_PRIORITY = 9;
const WHOLE = /^\d+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads one link from each line that is not empty: its label, or several columns. Columns are separated by tabs or
 * semicolons; by commas only below a first line that names the columns, since names may contain commas.
 */
export function readBatch(text: string, options: BatchOptions): BatchLine[] {
  const rows = text.split(/\r\n|\r|\n/);
  const first = rows.find((row) => row.trim() !== '') ?? '';
  const header = headerOf(first);
  const separator = header?.separator ?? (text.includes('\t') ? '\t' : ';');
  const columns = header?.columns ?? BATCH_COLUMNS;
  return rows
    .map((row, index) => ({ row: row.trim(), raw: row, number: index + 1 }))
    .filter(({ row, raw }) => row !== '' && !(header && raw === first))
    .map(({ row, raw, number }) => ({
      number,
      text: row,
      ...readLine(cellsOf(raw, separator), columns, options),
    }));
}

function headerOf(row: string): { separator: string; columns: BatchColumn[] } | null {
  for (const separator of ['\t', ';', ',']) {
    const names = cellsOf(row.replace(/^\uFEFF/, ''), separator).map((name) => name.toLowerCase());
    if (names.every(isColumn)) return { separator, columns: names };
  }
  return null;
}

const isColumn = (name: string): name is BatchColumn => (BATCH_COLUMNS as readonly string[]).includes(name);

function readLine(
  cells: readonly string[],
  columns: readonly BatchColumn[],
  { defaults, departments, zone }: BatchOptions,
): { link: NewLink; problems: BatchProblem[] } {
  const link: NewLink = { ...defaults };
  const problems: BatchProblem[] = cells.length > columns.length ? ['too_many'] : [];
  const read: Record<BatchColumn, (cell: string) => boolean> = {
    label: (cell) => {
      link.label = cell;
      return cell.length <= MAX_LABEL;
    },
    department: (cell) => {
      const wanted = cell.toLowerCase();
      const found = departments.find(
        ({ value, label }) => value === wanted || label.toLowerCase() === wanted,
      );
      if (found) link.department_id = found.value;
      return found !== undefined;
    },
    max_uses: (cell) => {
      link.max_uses = Number(cell);
      return WHOLE.test(cell) && link.max_uses >= 1 && link.max_uses <= MAX_USES;
    },
    expires_at: (cell) => {
      const instant = timeOf(cell, zone);
      link.expires_at = instant?.toISOString() ?? null;
      return instant !== null;
    },
    priority: (cell) => {
      link.priority = Number(cell);
      return WHOLE.test(cell) && link.priority <= MAX_PRIORITY;
    },
  };
  columns.forEach((column, index) => {
    const cell = cells[index] ?? '';
    if (cell !== '' && !read[column](cell)) problems.push(column);
  });
  if (!link.department_id && !problems.includes('department')) problems.push('department');
  return { link, problems };
}

/** A day lasts until its end. A time without a zone is one of the company's. */
function timeOf(cell: string, zone: string): Date | null {
  if (DAY.test(cell)) return instantOf(`${cell}T23:59`, zone);
  if (/(Z|[+-]\d{2}:?\d{2})$/.test(cell)) {
    const instant = new Date(cell);
    return Number.isNaN(instant.getTime()) ? null : instant;
  }
  return instantOf(cell.replace(' ', 'T'), zone);
}

/**
 * @param fields of the service's refusal: `links.3.expires_at`
 * @param translate what it says of one field
 * @returns sentences by the number of the line, each with the name of its column
 */
export function problemsByLine(
  fields: Readonly<Record<string, readonly string[]>>,
  sent: readonly BatchLine[],
  translate: (sentences: readonly string[]) => string,
): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [path, messages] of Object.entries(fields)) {
    const [, index, field = ''] = /^links\.(\d+)(?:\.(\w+))?/.exec(path) ?? [];
    const line = index === undefined ? undefined : sent[Number(index)];
    if (!line) continue;
    const column = field.replace(/_id$/, '');
    const sentence = column ? `${column}: ${translate(messages)}` : translate(messages);
    found.set(line.number, [...(found.get(line.number) ?? []), sentence]);
  }
  return found;
}
