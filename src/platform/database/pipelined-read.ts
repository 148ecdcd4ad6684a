import type { Pool, PoolClient, QueryResult } from 'pg';
import { type Scope, scopeStatement } from './scope';
import type { Statement } from './statement';
import {
  currentStatementTimeoutMs,
  queryTimeoutMs,
  REQUEST_STATEMENT_TIMEOUT_MS,
  setQueryTimeout,
} from './connections/time-limits';
import { WIRE_TYPES } from './wire-types';

/** The rows of several statements, from the types of a row of each: `[User, Call]` gives `[User[], Call[]]`. */
export type RowsOf<Rows extends object[]> = { [Index in keyof Rows]: Rows[Index][] };

type Result = PromiseSettledResult<QueryResult<object>>;

const ignore = () => {};

/**
 * Executes statements in one read-only transaction and one round trip: BEGIN, the scope, the statements and COMMIT
 * are sent together (pipelined).
 * @returns the rows of each statement
 * @throws the error of the first statement that failed
 */
export async function readPipelined<Rows extends object[]>(
  pool: Pool,
  scope: Scope,
  statements: Statement[],
): Promise<RowsOf<Rows>> {
  const statementTimeoutMs = currentStatementTimeoutMs();
  const client = await pool.connect();
  setQueryTimeout(client, queryTimeoutMs(statementTimeoutMs ?? REQUEST_STATEMENT_TIMEOUT_MS));
  // A connection that breaks rejects its queries, which is handled below, and also emits 'error', which would end
  // the process without a listener.
  client.on('error', ignore);
  const results = await sendAll(client, scopeStatement(scope, statementTimeoutMs), statements).finally(() => {
    client.off('error', ignore);
    client.release();
  });
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results
    .slice(2, -1)
    .map((result) => (result as PromiseFulfilledResult<QueryResult<object>>).value.rows) as RowsOf<Rows>;
}

/** Waits for all results, even when one fails: only then can the connection be released. */
async function sendAll(client: PoolClient, scope: Statement, statements: Statement[]): Promise<Result[]> {
  return Promise.allSettled([
    client.query('BEGIN READ ONLY'),
    client.query(scope),
    ...statements.map((statement) => client.query<object>({ ...statement, types: WIRE_TYPES })),
    client.query('COMMIT'),
  ]);
}
