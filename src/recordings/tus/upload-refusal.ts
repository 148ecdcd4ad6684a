import { ApiError } from '../../platform/http/errors/api-error';
import { ObjectNotFoundError } from '../../platform/storage/storage';

/** Refusals of the moment: whoever asks again may be answered. */
const PASSING = [401, 429];

/** Whether an upload that failed so would fail so for ever, by what it is or where it belongs. */
export function isRefusal(error: unknown): error is ApiError {
  // What the storage does not find today may be there tomorrow, as after a volume was mounted.
  if (!(error instanceof ApiError) || error instanceof ObjectNotFoundError) return false;
  const status = error.getStatus();
  return status < 500 && !PASSING.includes(status);
}
