import { type ApiError, invalidField, unprocessable } from './api-error';
import { constraintError } from './constraint-errors';

/** PostgreSQL's classes of values it cannot take: out of range, malformed, not representable. */
const BAD_VALUE = new Set(['22003', '22007', '22008', '22021', '22023', '22P02', '22P05']);

const NOT_NULL_VIOLATION = '23502';

interface DatabaseError {
  code: string;
  constraint?: string;
  column?: string;
}

/** Deadlocks that came back, locks that were not to be had in time, a server that shuts down or starts, connections that broke. */
const OUT_OF_REACH =
  /^(40001|40P01|25P03|55P03|57P0[123]|53300|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** pg and its pool have no codes for these. */
const NO_CONNECTION =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed)|Query read timeout)/;

/** Whether the database could not be reached, or not in time: the same request may go through in a moment. */
export function isDatabaseOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // TypeORM's word for a transaction whose connection broke between two of its statements.
  if (error.name === 'QueryRunnerAlreadyReleasedError') return true;
  return OUT_OF_REACH.test(code) || NO_CONNECTION.test(error.message);
}

/** Translates an error of PostgreSQL (or of TypeORM around one), or gives undefined for any other. */
export function translateDatabaseError(error: unknown): ApiError | undefined {
  const cause = driverError(error);
  if (!cause) return undefined;
  if (cause.constraint) return constraintError(cause.constraint);
  if (cause.code === NOT_NULL_VIOLATION) return invalidField(cause.column ?? 'body', 'must not be null');
  if (BAD_VALUE.has(cause.code)) {
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
