import type { DatabaseError } from 'pg';

// PostgreSQL translates messages and severities into the language of the server (lc_messages). These functions compare
// codes, which it does not translate.

const FEATURE_NOT_SUPPORTED = '0A000';

const LOCK_NOT_AVAILABLE = '55P03';

const READ_ONLY_SQL_TRANSACTION = '25006';

/**
 * Whether a prepared statement failed because a migration has changed its result, for example by a column that
 * `SELECT *` returns. It would fail each time on this connection.
 */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, routine } = error as Partial<DatabaseError>;
  // The code alone has other causes, too. PostgreSQL names the function that raised the error.
  return code === FEATURE_NOT_SUPPORTED && routine === 'RevalidateCachedQuery';
}

/**
 * Whether a write failed because the server has become a standby, as after a failover. The connection would stay there, while
 * a new one is led to the primary.
 */
export const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof Error && (error as Partial<DatabaseError>).code === READ_ONLY_SQL_TRANSACTION;

/** Whether a statement did not get a lock in time. */
export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === LOCK_NOT_AVAILABLE;
