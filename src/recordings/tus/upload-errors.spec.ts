import {
  ApiError,
  invalidField,
  notFound,
  tooManyRequests,
  unauthenticated,
  unprocessable,
} from '../../platform/http/errors/api-error';
import { ObjectNotFoundError, StorageUnavailableError } from '../../platform/storage/storage';
import { isPermanentError } from './upload-errors';

describe('isPermanentError', () => {
  it.each<[boolean, string, unknown]>([
    [true, 'content that is not media', invalidField('file', 'must be audio or video')],
    [true, 'an erased call', unprocessable('call_erased', 'The customer was erased.')],
    [true, 'a deleted call', notFound('Call')],
    [false, 'a missing login', unauthenticated()],
    [false, 'a rate limit', tooManyRequests(5)],
    [false, 'a missing object in the storage', new ObjectNotFoundError('key')],
    [false, 'an unavailable storage', new StorageUnavailableError(new Error('ECONNREFUSED'))],
    [false, 'an internal error', new ApiError(500, 'internal_error', 'Something went wrong.')],
    [false, 'an unexpected error', new Error('9 bytes instead of 10')],
    [false, 'undefined', undefined],
  ])('%s: %s', (expected, _what, error) => {
    expect(isPermanentError(error)).toBe(expected);
  });
});
