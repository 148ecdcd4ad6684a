import { DatabaseError, type Pool } from 'pg';
import { isStalePlan } from '../connections/preparing-client';
import {
  currentStatementTimeoutMs,
  queryTimeoutMs,
  REQUEST_STATEMENT_TIMEOUT_MS,
  setQueryTimeout,
} from '../connections/time-limits';
import { readScopeStatement, type Scope } from '../scope';
import type { Statement } from '../statement';
import { PipelinedQuery } from './pipelined-query';
import { parserOfWire } from './row-reader';

/** The rows of several statements, from the types of a row of each: `[User, Call]` gives `[User[], Call[]]`. */
export type RowsOf<Rows extends object[]> = { [Index in keyof Rows]: Rows[Index][] };

/**
 * Executes statements in one read-only transaction and one round trip: the scope and the statements are sent together
 * (pipelined), without BEGIN and COMMIT.
 * @returns the rows of each statement
 * @throws the error of the first statement that failed
 */
export async function readPipelined<Rows extends object[]>(
  pool: Pool,
  scope: Scope,
  statements: Statement[],
): Promise<RowsOf<Rows>> {
  const statementTimeoutMs = currentStatementTimeoutMs();
  const timeoutMs = queryTimeoutMs(statementTimeoutMs ?? REQUEST_STATEMENT_TIMEOUT_MS);
  try {
    const rows = await send(pool, [readScopeStatement(scope, statementTimeoutMs), ...statements], timeoutMs);
    return rows.slice(1) as RowsOf<Rows>;
  } catch (error) {
    // The error has the stack of an event of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

const send = (pool: Pool, statements: Statement[], timeoutMs: number): Promise<object[][]> =>
  new Promise((resolve, reject) => {
    pool.connect((failure, client, release) => {
      if (!client) return reject(failure);
      setQueryTimeout(client, timeoutMs);
      // Returns the query itself, not a promise.
      void client.query(
        new PipelinedQuery(statements, parserOfWire, (error, results) => {
          release(error !== null && !isReusable(error));
          if (error === null && results) resolve(results.map(({ rows }) => rows));
          else reject(error);
        }),
      );
    });
  });

/**
 * Whether the connection can be used after this error: not after a timeout or a lost connection, nor if a stale plan would
 * fail each time.
 */
const isReusable = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === 'ERROR' && !isStalePlan(error);
