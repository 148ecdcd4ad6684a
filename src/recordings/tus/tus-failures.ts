import { ApiError, badRequest } from '../../platform/http/errors/api-error';
import { offsetConflict } from './recording-uploads';

const FAILURES: Record<number, (detail: string) => ApiError> = {
  400: badRequest,
  // The library's word for a PATCH that lacks a header.
  403: badRequest,
  404: () => new ApiError(404, 'not_found', 'Upload not found.'),
  409: offsetConflict,
  413: () =>
    new ApiError(
      413,
      'payload_too_large',
      'That is more than the upload’s length, or than a recording may have.',
    ),
  501: () => badRequest('Uploads cannot be put together of others: send Upload-Length alone.'),
};

/** A failure that @tus/server answers by itself, as one of ours. */
export function tusFailure(status: number, text: string): ApiError | Error {
  const detail = `${text.trim().replace(/\.$/, '')}.`;
  return FAILURES[status]?.(detail) ?? new Error(`@tus/server: ${status} ${detail}`);
}
