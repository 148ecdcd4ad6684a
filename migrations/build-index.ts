import { escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';

export interface IndexDefinition {
  /** Unique in the schema; not quoted. */
  name: string;
  isUnique?: boolean;
  /** Table, columns and condition, as they follow ON: `calls (tenant_id, started_at) WHERE state = 'ended'` */
  on: string;
}

/**
 * Builds an index while its table is read and written: for migrations with `readonly transaction = false`, the only ones
 * that may build an index on an existing table. The build waits without a limit for transactions that are older, which
 * blocks no other session. If the build is interrupted, the migration runs again and drops the incomplete index first.
 * @throws the database's error, after dropping what an unsuccessful build leaves behind: an incomplete unique index would
 *   go on rejecting rows
 */
export async function buildIndex(
  runner: QueryRunner,
  { name, isUnique, on }: IndexDefinition,
): Promise<void> {
  const isValid = await readIsValid(runner, name);
  if (isValid) return;
  // One statement for each call: several in one call are a transaction, in which no index is built concurrently.
  const drop = `DROP INDEX CONCURRENTLY IF EXISTS public.${escapeIdentifier(name)}`;
  await runner.query('SET lock_timeout = 0');
  try {
    if (isValid === false) await runner.query(drop);
    try {
      await runner.query(
        `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${escapeIdentifier(name)} ON ${on}`,
      );
    } catch (error) {
      // Without a connection the next attempt drops it.
      await attempt(runner, drop);
      throw error;
    }
  } finally {
    await attempt(runner, 'RESET lock_timeout');
  }
}

/** Without throwing, because the error of the build is the one to report. */
async function attempt(runner: QueryRunner, sql: string): Promise<void> {
  try {
    await runner.query(sql);
  } catch {
    // The connection is lost.
  }
}

/** @returns undefined if there is no such index */
async function readIsValid(runner: QueryRunner, name: string): Promise<boolean | undefined> {
  const rows: { is_valid: boolean }[] = await runner.query(
    `SELECT i.indisvalid AS is_valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = $1`,
    [name],
  );
  return rows[0]?.is_valid;
}
