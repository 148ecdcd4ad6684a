import type { Transaction } from './transaction';

/**
 * The rows that the transaction has deleted since `before`, by table, including those that were deleted with the row that
 * they belong to. PostgreSQL counts them for its statistics.
 * @param before an earlier result, since the counts of a session can go back to an earlier transaction
 */
export async function deletedRows(
  tx: Transaction,
  before: Record<string, number> = {},
): Promise<Record<string, number>> {
  const counted = await tx.query<{ name: string; rows: number }>(
    `SELECT relname AS name, n_tup_del::float8 AS rows FROM pg_stat_xact_user_tables
     WHERE schemaname = 'public' AND n_tup_del > 0 ORDER BY relname`,
  );
  const deleted = counted.map(({ name, rows }) => [name, rows - (before[name] ?? 0)] as const);
  return Object.fromEntries(deleted.filter(([, rows]) => rows > 0));
}
