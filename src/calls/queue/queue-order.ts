/** Appointments whose time has come first, the earliest ahead; then by the rank (`rankAt`), then by the join. */
export const QUEUE_ORDER_SQL = 'priority_since NULLS LAST, rank_at, queue_number';

/** QUEUE_ORDER_SQL as a value with which two calls can be compared. */
export const rankOf = (call: string) =>
  `(COALESCE(${call}.priority_since, 'infinity'), ${call}.rank_at, ${call}.queue_number)`;
