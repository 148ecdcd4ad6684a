import { ApiError } from '../../platform/http/errors/api-error';
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
