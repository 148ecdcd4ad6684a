import type { PoolClient } from 'pg';
import { isLongWork, isPublicRequest } from '../../logging/request-context';

/**
 * The limit of a statement of a request, a socket message or a recurring task. It is an option of the session, which
 * DATABASE_URL can set.
 */
export const REQUEST_STATEMENT_TIMEOUT_MS = 15_000;
/** The limit of a statement of a job or an operator's command. */
const LONG_STATEMENT_TIMEOUT_MS = 600_000;
/** PostgreSQL reports a statement that takes too long before the client gives up. */
const ANSWER_MARGIN_MS = 5000;

/** How long the client waits for the answer to a statement with this limit. A connection that is silent longer is closed. */
export const queryTimeoutMs = (statementTimeoutMs: number): number => statementTimeoutMs + ANSWER_MARGIN_MS;

/** The limit of the current code's statements in ms; undefined for that of the session, which is meant for
 * requests. */
export const currentStatementTimeoutMs = (): number | undefined =>
  isLongWork() ? LONG_STATEMENT_TIMEOUT_MS : undefined;

/**
 * How long a statement of a public request waits for a lock, because it holds one of the few connections of these requests. The
 * transaction is tried again later, and waits without a connection meanwhile.
 */
const PUBLIC_LOCK_TIMEOUT_MS = 10;

/** How long the current code's statements wait for a lock, in ms; undefined for the limit of the session. */
export const currentLockTimeoutMs = (): number | undefined =>
  isPublicRequest() ? PUBLIC_LOCK_TIMEOUT_MS : undefined;

/** pg's options against a silent partition: without a delay, TCP would send its first probe after two hours. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Sets how long the client waits for an answer, for all statements until the connection is acquired again.
 * @param timeoutMs 0 for no limit. pg has no method for it besides an option of each query, which TypeORM does not pass
 */
export function setQueryTimeout(client: PoolClient, timeoutMs: number): void {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } };
  connectionParameters.query_timeout = timeoutMs;
}
