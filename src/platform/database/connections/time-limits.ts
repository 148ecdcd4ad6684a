import { isLongWork, isPublicRequest } from '../../logging/request-context';

/**
 * The limit of a statement of a request, a socket message or a recurring task. It is an option of the session, which
 * DATABASE_URL can set.
 */
export const REQUEST_STATEMENT_TIMEOUT_MS = 15_000;
/** The limit of a statement of a job or an operator's command. */
const LONG_STATEMENT_TIMEOUT_MS = 600_000;
/** PostgreSQL reports a statement that takes too long before the service gives up. */
const REQUEST_WORK_TIMEOUT_MS = REQUEST_STATEMENT_TIMEOUT_MS + 5000;
/** Jobs and commands have several statements of minutes in one transaction. TCP mostly reports a broken connection before. */
const LONG_WORK_TIMEOUT_MS = 3_600_000;

/** The limit of the current code's statements in ms; undefined for that of the session, which is meant for
 * requests. */
export const currentStatementTimeoutMs = (): number | undefined =>
  isLongWork() ? LONG_STATEMENT_TIMEOUT_MS : undefined;

/** How long a read or a transaction may take whose statements have this limit, before its connection is taken for broken. */
export const workTimeoutMs = (statementTimeoutMs = REQUEST_STATEMENT_TIMEOUT_MS): number =>
  statementTimeoutMs > REQUEST_STATEMENT_TIMEOUT_MS ? LONG_WORK_TIMEOUT_MS : REQUEST_WORK_TIMEOUT_MS;

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

/** The database has not answered, as when the network drops all packets. */
export class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database did not answer in time.');
  }
}

/** The result of work with a connection. @throws NoAnswerError when that takes longer; the work then goes on in vain */
export async function answeredWithin<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new NoAnswerError()), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
