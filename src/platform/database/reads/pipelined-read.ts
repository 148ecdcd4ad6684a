import type { Pool } from 'pg';
import { prepared } from '../connections/prepared';
import { isReusableAfter } from '../connections/statement-errors';
import {
  currentStatementTimeoutMs,
  queryTimeoutMs,
  REQUEST_STATEMENT_TIMEOUT_MS,
  setQueryTimeout,
} from '../connections/time-limits';
import { activeTracer } from '../../tracing/tracer';
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
    const all = [readScopeStatement(scope, statementTimeoutMs), ...statements];
    const rows = await send(pool, all.map(prepared), timeoutMs);
    return rows.slice(1) as RowsOf<Rows>;
  } catch (error) {
    // The error has the stack of an event of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

const send = (pool: Pool, statements: Statement[], timeoutMs: number): Promise<object[][]> =>
  new Promise((resolve, reject) => {
    const begin: Parameters<Pool['connect']>[0] = (failure, client, release) => {
      if (!client) return reject(failure);
      setQueryTimeout(client, timeoutMs);
      // Returns the query itself, not a promise.
      void client.query(
        new PipelinedQuery(statements, parserOfWire, (error, results) => {
          release(error !== null && !isReusableAfter(error));
          if (error === null && results) resolve(results.map(({ rows }) => rows));
          else reject(error);
        }),
      );
    };
    // The pool would call it in the context of the work that returns the connection.
    pool.connect(activeTracer()?.bind(begin) ?? begin);
  });
