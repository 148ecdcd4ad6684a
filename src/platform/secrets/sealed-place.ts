/** A column with sealed secrets or NULL, in a table whose primary key is `id`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The purpose that the secret of the row is sealed for. */
  purpose(id: string): string;
}

/** Jobs whose data has a sealed secret in one of its fields. */
export interface SealedJobs<Data> {
  /** The name of the jobs. */
  queue: string;
  field: keyof Data & string;
  purpose(data: Data): string;
}

/** Where sealed secrets are stored: the SQL that reads and replaces them. */
export interface SealedPlace {
  /** What is sealed, for the log. */
  name: string;
  table: string;
  /** SQL: the sealed secret of a row. */
  secret: string;
  /** SQL: which rows have a secret. */
  condition: string;
  /** SQL: what the purpose depends on, as JSON. */
  facts: string;
  /** SQL: the assignment of s.resealed. */
  assignment: string;
  purpose(id: string, facts: unknown): string;
}

export const columnPlace = ({ table, column, ...sealed }: SealedColumn): SealedPlace => ({
  name: `${column} of ${table}`,
  table,
  secret: `t.${column}`,
  condition: `t.${column} IS NOT NULL`,
  facts: 'NULL::jsonb',
  assignment: `${column} = s.resealed`,
  purpose: (id) => sealed.purpose(id),
});

/**
 * Jobs that have not ended: those that have are kept for a while, but never opened again. A job that is running uses the
 * data that it was fetched with, and its next attempt the resealed data.
 */
export const jobPlace = <Data>({ queue, field, ...sealed }: SealedJobs<Data>): SealedPlace => ({
  name: `${field} of ${queue} jobs`,
  table: 'pgboss.job',
  secret: `t.data->>'${field}'`,
  condition: `t.name = '${queue}' AND t.state < 'completed' AND t.data ? '${field}'`,
  facts: 't.data',
  assignment: `data = jsonb_set(t.data, '{${field}}', to_jsonb(s.resealed))`,
  purpose: (_id, data) => sealed.purpose(data as Data),
});
