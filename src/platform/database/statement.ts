/** One SQL statement. */
export interface Statement {
  text: string;
  values?: unknown[];
  /** With a name, PostgreSQL prepares the statement once for each connection. */
  name?: string;
}
