import { HttpException } from '@nestjs/common';
import { ConnectionLimitError } from '../../database/connections/semaphore';
import { translateUploadError } from './upload-errors';
import { ApiError } from './api-error';
import type { ErrorCode } from './error-codes';
import { isDatabaseUnavailable, translateDatabaseError } from './database-errors';

const CODES: Record<number, ErrorCode> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Replaces the messages of Nest and Express, which clients would not understand. */
const DETAILS: Record<number, string> = {
  400: 'The request is malformed: check its JSON, its encoding and its address.',
  404: 'There is nothing at this address.',
  413: 'The request body is larger than this endpoint takes.',
  415: 'The encoding of the request body is not supported.',
};

/** Translates any error into the one that clients see; an unexpected error becomes a 500 without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Thrown while the body was parsed.
  if (error instanceof HttpException && error.cause instanceof ApiError) return error.cause;
  const translated = translateDatabaseError(error) ?? translateUploadError(error);
  if (translated) return translated;
  if (error instanceof ConnectionLimitError) return unavailable(error.message);
  const status = isDatabaseUnavailable(error) ? 503 : statusOf(error);
  if (status === 503) return unavailable('The service is busy.');
  if (status === undefined || status >= 500) {
    return new ApiError(500, 'internal_error', 'Something went wrong on our side.');
  }
  const detail = DETAILS[status] ?? (error instanceof Error ? error.message : 'The request failed.');
  return new ApiError(status, CODES[status] ?? 'bad_request', detail);
}

const unavailable = (reason: string) => new ApiError(503, 'unavailable', `${reason} Try again in a moment.`);

/** The status of an exception of Nest or of Express's middleware (body-parser, send). */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  if (typeof error === 'object' && error !== null && 'status' in error && 'expose' in error) {
    return typeof error.status === 'number' ? error.status : undefined;
  }
  return undefined;
}
