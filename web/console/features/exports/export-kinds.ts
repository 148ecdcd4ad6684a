export const KINDS = ['calls', 'customers', 'links'] as const;

export type ExportKind = (typeof KINDS)[number];

export const FILTER_NAMES = ['status', 'department_id', 'date_from', 'date_to', 'search'] as const;

export type FilterName = (typeof FILTER_NAMES)[number];

/** The filters that each export has. */
export const FILTERS: Readonly<Record<ExportKind, readonly FilterName[]>> = {
  calls: ['status', 'department_id', 'date_from', 'date_to', 'search'],
  customers: ['date_from', 'date_to', 'search'],
  links: ['status', 'department_id', 'date_from', 'date_to', 'search'],
};

export const CALL_STATUSES = [
  'queued',
  'assigned',
  'active',
  'completed',
  'missed',
  'cancelled',
  'abandoned',
] as const;

export const LINK_STATUSES = ['active', 'scheduled', 'used', 'expired', 'cancelled'] as const;

/** Excel splits cells at semicolons where the comma is the decimal separator, and reads accents by the byte order mark. */
export const EXCEL_FORMAT = { separator: 'semicolon', bom: 'true' } as const;

/** @returns those filters of the export that are set, as the API takes them */
export function exportQuery(
  kind: ExportKind,
  values: Readonly<Record<FilterName, string>>,
): Partial<Record<FilterName, string>> {
  const set = FILTERS[kind].filter((name) => values[name] !== '' && isKnown(kind, name, values[name]));
  return Object.fromEntries(set.map((name) => [name, values[name]]));
}

/** A status of calls stays in the address when links are chosen, which have others. */
function isKnown(kind: ExportKind, name: FilterName, value: string): boolean {
  if (name !== 'status') return true;
  const statuses: readonly string[] = kind === 'calls' ? CALL_STATUSES : LINK_STATUSES;
  return statuses.includes(value);
}
