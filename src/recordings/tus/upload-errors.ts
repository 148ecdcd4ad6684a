import { ApiError, badRequest } from '../../platform/http/errors/api-error';
import { ObjectNotFoundError } from '../../platform/storage/storage';

/** Client errors after which the same request may succeed later. */
const TEMPORARY_STATUSES = [401, 429];

/** 409: the client asks for the offset and resumes there. */
export const offsetConflict = () =>
  new ApiError(409, 'offset_conflict', 'The upload continues at another offset: ask for it with HEAD.');

/** @returns whether an upload that failed with this error would always fail, due to its content or its call */
export function isPermanentError(error: unknown): error is ApiError {
  // A missing object may reappear, for example once a volume is mounted.
  if (!(error instanceof ApiError) || error instanceof ObjectNotFoundError) return false;
  const status = error.getStatus();
  return status < 500 && !TEMPORARY_STATUSES.includes(status);
}

const ERRORS_BY_STATUS: Record<number, (detail: string) => ApiError> = {
  400: badRequest,
  // @tus/server's status for a PATCH without a required header.
  403: badRequest,
  404: () => new ApiError(404, 'not_found', 'Upload not found.'),
  409: offsetConflict,
  413: () =>
    new ApiError(
      413,
      'payload_too_large',
      'The content exceeds the length of the upload or the maximum size of a recording.',
    ),
  501: () => badRequest('Concatenation is not supported: send Upload-Length without Upload-Concat.'),
};

/**
 * Converts an error response of @tus/server.
 * @returns an ApiError, or an Error if the status is not one of the protocol's
 */
export function toTusApiError(status: number, body: string): ApiError | Error {
  const detail = `${body.trim().replace(/\.$/, '')}.`;
  return ERRORS_BY_STATUS[status]?.(detail) ?? new Error(`@tus/server: ${status} ${detail}`);
}
