/** The columns of a response: their names on the wire, in its order, each with the SQL that gives its value. */
export type Columns<Name extends string> = Readonly<Record<Name, string>>;

/** A column for each field of a DTO. */
export type ColumnsOf<Dto> = Columns<keyof Dto & string>;

/** Columns of the table `alias` that go by their own names. */
export function plainColumns<const Name extends string>(
  alias: string,
  names: readonly Name[],
): Columns<Name> {
  return fromEntries(names.map((name) => [name, `${alias}.${name}`]));
}

/** Some of the columns, in the order of `names`. */
export function pickColumns<Name extends string, const Picked extends Name>(
  columns: Columns<Name>,
  names: readonly Picked[],
): Columns<Picked> {
  return fromEntries(names.map((name) => [name, columns[name]]));
}

/** All columns but those of `names`, in their order. */
export function omitColumns<Name extends string, const Omitted extends Name>(
  columns: Columns<Name>,
  names: readonly Omitted[],
): Columns<Exclude<Name, Omitted>> {
  const omitted: ReadonlySet<string> = new Set(names);
  const kept = Object.entries<string>(columns).filter(([name]) => !omitted.has(name));
  return fromEntries(kept as [Exclude<Name, Omitted>, string][]);
}

/** What follows SELECT or RETURNING. */
export function selectList(columns: Columns<string>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');
}

/**
 * A timestamp as text in the format of the API, ISO 8601 in UTC with milliseconds: for values inside JSON and for CSV,
 * which the type parsers do not convert.
 */
export function isoTimestamp(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const fromEntries = <Name extends string>(entries: [Name, string][]): Columns<Name> =>
  Object.fromEntries(entries) as Record<Name, string>;
