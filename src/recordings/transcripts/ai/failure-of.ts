import { ObjectNotFoundError, StorageUnavailableError } from '../../../platform/storage/storage';
import { AiFailure } from './ai-failure';

/** What is kept and logged of a try that gave no result: fixed words and codes, nobody's text. */
export interface Failure {
  code: string;
  /** What else is known, for the log. */
  reason: string;
  /** Whether it makes no sense to try again. */
  permanent: boolean;
  /** Seconds that the provider wants to be left alone. */
  retry_after: number;
}

/** What the openai client and the connection below it say of a failure. */
interface ClientError {
  constructor?: { name?: unknown };
  status?: unknown;
  code?: unknown;
  headers?: unknown;
  cause?: unknown;
}

/** The request itself is refused: sent again, it would be again. Wrong keys (401, 403) are the operator's affair. */
const REFUSALS = ['http_400', 'http_404', 'http_413', 'http_415', 'http_422'];
const PERMANENT = [...REFUSALS, 'recording_missing', 'not_allowed', 'not_configured'];

/** Codes are words; whatever else comes in their place may be anybody's text. */
const CODE = /^[\w.-]{1,60}$/;

/**
 * Sorts what a try threw.
 * @param now for a Retry-After that is a date
 */
export function failureOf(error: unknown, now: Date): Failure {
  const code = codeOf(error);
  return {
    code,
    reason: reasonOf(error),
    permanent: PERMANENT.includes(code),
    retry_after: retryAfter((error as ClientError | null)?.headers, now),
  };
}

function codeOf(error: unknown): string {
  const { status, cause } = (error ?? {}) as ClientError;
  // The client wraps what its connection says.
  for (const known of [error, cause]) if (known instanceof AiFailure) return known.code;
  if (error instanceof ObjectNotFoundError) return 'recording_missing';
  if (error instanceof StorageUnavailableError) return 'storage_unavailable';
  if (error instanceof SyntaxError) return 'invalid_answer';
  return typeof status === 'number' ? `http_${status}` : 'unexpected';
}

function reasonOf(error: unknown): string {
  const { constructor, code, cause } = (error ?? {}) as ClientError;
  for (const known of [error, cause]) if (known instanceof AiFailure) return known.reason;
  const words = [constructor?.name, code, (cause as ClientError | undefined)?.code];
  return words.filter((word): word is string => typeof word === 'string' && CODE.test(word)).join(', ');
}

/** Seconds of a Retry-After header (RFC 9110, 10.2.3); 0 without one that can be read. */
function retryAfter(headers: unknown, now: Date): number {
  const value = headers instanceof Headers ? headers.get('retry-after') : null;
  if (value === null) return 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000;
  return seconds > 0 ? Math.ceil(seconds) : 0;
}
