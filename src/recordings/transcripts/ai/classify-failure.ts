import { ObjectNotFoundError, StorageUnavailableError } from '../../../platform/storage/storage';
import { AiError } from './ai-error';

/** What is stored and logged of a failed attempt: fixed words and codes, never text from the server. */
export interface AttemptFailure {
  code: string;
  /** Detail for the log. */
  reason: string;
  /** Whether a retry would fail the same way. */
  isPermanent: boolean;
  /** Seconds that the server asks to wait before a retry; 0 if it does not. */
  retryAfterSeconds: number;
}

/** Fields of the errors of the openai client and of Node's connections. */
interface ClientError {
  constructor?: { name?: unknown };
  status?: unknown;
  code?: unknown;
  headers?: unknown;
  cause?: unknown;
}

/**
 * The server rejects the request itself, so a retry would be rejected too. Not 401 and 403: the operator can
 * correct a wrong key meanwhile.
 */
const REJECTED = ['http_400', 'http_404', 'http_413', 'http_415', 'http_422'];
const PERMANENT = [...REJECTED, 'recording_missing', 'not_allowed', 'not_configured'];

/** Anything that is not a short code may be text from the call, which must not be logged. */
const CODE = /^[\w.-]{1,60}$/;

/**
 * Classifies what an attempt threw.
 * @param now to convert a Retry-After date to seconds
 */
export function classifyFailure(error: unknown, now: Date): AttemptFailure {
  const code = codeOf(error);
  return {
    code,
    reason: reasonOf(error),
    isPermanent: PERMANENT.includes(code),
    retryAfterSeconds: retryAfterOf((error as ClientError | null)?.headers, now),
  };
}

function codeOf(error: unknown): string {
  const { status, cause } = (error ?? {}) as ClientError;
  // The openai client wraps errors of the connection.
  for (const known of [error, cause]) if (known instanceof AiError) return known.code;
  if (error instanceof ObjectNotFoundError) return 'recording_missing';
  if (error instanceof StorageUnavailableError) return 'storage_unavailable';
  if (error instanceof SyntaxError) return 'invalid_answer';
  return typeof status === 'number' ? `http_${status}` : 'unexpected';
}

function reasonOf(error: unknown): string {
  const { constructor, code, cause } = (error ?? {}) as ClientError;
  for (const known of [error, cause]) if (known instanceof AiError) return known.reason;
  const words = [constructor?.name, code, (cause as ClientError | undefined)?.code];
  return words.filter((word): word is string => typeof word === 'string' && CODE.test(word)).join(', ');
}

/** Seconds of a Retry-After header (RFC 9110, 10.2.3); 0 if it is missing or invalid. */
function retryAfterOf(headers: unknown, now: Date): number {
  const value = headers instanceof Headers ? headers.get('retry-after') : null;
  if (value === null) return 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000;
  return seconds > 0 ? Math.ceil(seconds) : 0;
}
