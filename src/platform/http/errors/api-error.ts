import { HttpException } from '@nestjs/common';

export type FieldErrors = Record<string, string[]>;

/** A failure with its HTTP status, a machine-readable code and a sentence for people. */
export class ApiError extends HttpException {
  constructor(
    status: number,
    readonly code: string,
    readonly detail: string,
    readonly fields?: FieldErrors,
    /** Seconds after which the same request may succeed; sent as Retry-After. */
    readonly retry_after?: number,
  ) {
    super(detail, status);
  }
}

/** 400: the request itself is wrong (syntax, path or query parameters). */
export const badRequest = (detail: string, fields?: FieldErrors) =>
  new ApiError(400, 'bad_request', detail, fields);

/** 401: nobody, or no longer anybody, we know. */
export const unauthenticated = (detail = 'Authentication is required.', code = 'unauthenticated') =>
  new ApiError(401, code, detail);

/** 403: known, but not allowed to. */
export const forbidden = (detail: string, code = 'forbidden') => new ApiError(403, code, detail);

/** 403: the tenant's plan does not stretch that far. */
export const planLimit = (detail: string) => new ApiError(403, 'plan_limit', detail);

/** 404: no such thing in this tenant. */
export const notFound = (thing: string) => new ApiError(404, 'not_found', `${thing} not found.`);

/** 422: well-formed, but a value or the present state does not allow it. */
export const unprocessable = (code: string, detail: string, fields?: FieldErrors) =>
  new ApiError(422, code, detail, fields);

/** 422 for one field of a body. */
export const invalidField = (field: string, problem: string) =>
  unprocessable('validation_failed', 'Some fields are not valid.', { [field]: [problem] });

/** 429: too often, for so many seconds more. */
export const tooManyRequests = (seconds: number) =>
  new ApiError(
    429,
    'rate_limited',
    `Too many requests. Try again in ${seconds} seconds.`,
    undefined,
    seconds,
  );
