import { randomInt } from 'node:crypto';
import { HttpException } from '@nestjs/common';
import type { ErrorCode } from './error-codes';

export type FieldErrors = Record<string, string[]>;

/** Invalid fields that a response names: with all of them, the response to a large body would be larger than the body. */
export const MAX_REPORTED_FIELDS = 20;

/** Values that the body of some errors has beside its code. */
export interface ErrorValues {
  /** When a closed department opens, ISO 8601; null if it never does. */
  opens_at?: string | null;
}

const MIN_BUSY_SECONDS = 1;
const MAX_BUSY_SECONDS = 3;

/**
 * Seconds after which a client may repeat a request that was answered with 503. They are random, so that the clients that
 * were refused together do not come back together.
 */
export const busyRetryAfter = (): number => randomInt(MIN_BUSY_SECONDS, MAX_BUSY_SECONDS + 1);

/** An error that the client sees: an HTTP status, a machine-readable code and a sentence. */
export class ApiError extends HttpException {
  constructor(
    status: number,
    readonly code: ErrorCode,
    readonly detail: string,
    readonly fields?: FieldErrors,
    /** Seconds until the same request may succeed; sent as Retry-After. */
    readonly retry_after: number | undefined = status === 503 ? busyRetryAfter() : undefined,
    /** Further values of the error body, which programs use. */
    readonly values: ErrorValues = {},
  ) {
    super(detail, status);
  }
}

/** 400: the syntax, the path or a query parameter is invalid. */
export const badRequest = (detail: string, fields?: FieldErrors) =>
  new ApiError(400, 'bad_request', detail, fields);

/** 400: query parameters or ids of the path are invalid. */
export const badParameters = (fields: FieldErrors) => {
  const [[name, problems] = ['', []]] = Object.entries(fields);
  return badRequest(`Bad parameter: ${name} ${problems[0]}.`, fields);
};

/** 401: the credentials are missing, invalid or expired. */
export const unauthenticated = (
  detail = 'Authentication is required.',
  code: ErrorCode = 'unauthenticated',
) => new ApiError(401, code, detail);

/** 403: authenticated, but not permitted. */
export const forbidden = (detail: string, code: ErrorCode = 'forbidden') => new ApiError(403, code, detail);

/** 403: the tenant's plan does not include this. */
export const planLimit = (detail: string) => new ApiError(403, 'plan_limit', detail);

/** 404: it does not exist in this tenant. */
export const notFound = (thing: string) => new ApiError(404, 'not_found', `${thing} not found.`);

/** 415: the route takes another Content-Type. */
export const unsupportedMediaType = (detail: string) => new ApiError(415, 'unsupported_media_type', detail);

/** 422: well-formed, but a value is invalid or the current state does not allow it. */
export const unprocessable = (code: ErrorCode, detail: string, fields?: FieldErrors, values?: ErrorValues) =>
  new ApiError(422, code, detail, fields, undefined, values);

/** 422: one field of the body is invalid. */
export const invalidField = (field: string, problem: string) => invalidFields({ [field]: [problem] });

/** 422: several fields of the body are invalid. */
export const invalidFields = (fields: FieldErrors) =>
  unprocessable('validation_failed', 'Some fields are not valid.', fields);

/** 429: too many requests; `seconds` is how long to wait. */
export const tooManyRequests = (seconds: number) =>
  new ApiError(
    429,
    'rate_limited',
    `Too many requests. Try again in ${seconds} seconds.`,
    undefined,
    seconds,
  );
