/** One SQL statement. PostgreSQL prepares it once for each connection when it is sent again and again. */
export interface Statement {
  text: string;
  values?: unknown[];
  /**
   * True for a text that PostgreSQL plans each time: because it is put together for its request, as that of a list is, so
   * that there are too many of them, or because the best plan depends on the values.
   */
  isDynamic?: boolean;
  /** Prepares the statement under this name. By default it gets one when it has been sent a few times. */
  name?: string;
}
