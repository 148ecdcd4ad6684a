import { type ApiError, invalidField, unprocessable } from './api-error';
import { CONSTRAINT_ERRORS } from './constraint-error-registry';

/** SQLSTATEs of values that PostgreSQL rejects: out of range, malformed, not representable. */
const INVALID_VALUE = new Set(['22003', '22007', '22008', '22021', '22023', '22P02', '22P05']);

const NOT_NULL_VIOLATION = '23502';

interface DatabaseError {
  code: string;
  constraint?: string;
  column?: string;
}

/**
 * Repeated deadlocks, lock and statement timeouts, a server that starts or stops, broken connections, a login that the server
 * refuses while its password is being changed, a server that became a standby (25006), and one that has no connection slots,
 * memory or disk space (53) or cannot read or write its files (58).
 */
const UNAVAILABLE_CODE =
  /^(40001|40P01|25006|25P03|53...|55P03|57014|57P0[123]|58...|28000|28P01|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of pg and its pool for errors that have no code. */
const UNAVAILABLE_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed)|Query read timeout)/;

/** Whether the database could not be reached, or not in time, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // TypeORM's error for a transaction whose connection broke between two statements.
  if (error.name === 'QueryRunnerAlreadyReleasedError') return true;
  return UNAVAILABLE_CODE.test(code) || UNAVAILABLE_MESSAGE.test(error.message);
}

/** Translates an error of PostgreSQL, also one that TypeORM wraps; undefined for any other error. */
export function translateDatabaseError(error: unknown): ApiError | undefined {
  const cause = driverError(error);
  if (!cause) return undefined;
  if (cause.constraint) return CONSTRAINT_ERRORS.errorFor(cause.constraint);
  if (cause.code === NOT_NULL_VIOLATION) return invalidField(cause.column ?? 'body', 'is required');
  if (INVALID_VALUE.has(cause.code)) {
    return unprocessable('validation_failed', 'A value is out of range or cannot be stored.');
  }
  return undefined;
}

function driverError(error: unknown): DatabaseError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const candidate = 'driverError' in error ? error.driverError : error;
  const isDatabaseError =
    typeof candidate === 'object' &&
    candidate !== null &&
    'severity' in candidate &&
    'code' in candidate &&
    typeof candidate.code === 'string';
  return isDatabaseError ? (candidate as DatabaseError) : undefined;
}
