/** A gauge about the whole installation, which each instance computes from the database. */
export interface ClusterGauge {
  name: string;
  help: string;
  /**
   * An SQL query across tenants that returns the number `value` and, for a gauge with labels, their values as the array
   * `labels`. An index must answer it, or a table that stays small.
   */
  sql: string;
  /** The names of the labels. */
  labels?: readonly string[];
  /** The values of a single label that have a series even if the query returns no row for them. */
  labelValues?: readonly string[];
  /** For a query that returns a time as seconds since 1970: the gauge is the age of that time. */
  isAge?: boolean;
  /** The value if the query returns no row or NULL; without it there is no series then. */
  empty?: number;
}
