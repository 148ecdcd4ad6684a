import {
  ApiError,
  invalidField,
  notFound,
  tooManyRequests,
  unauthenticated,
  unprocessable,
} from '../../platform/http/errors/api-error';
import { ObjectNotFoundError, StorageUnavailableError } from '../../platform/storage/storage';
import { isRefusal } from './upload-refusal';

describe('isRefusal', () => {
  it.each<[boolean, string, unknown]>([
    [true, 'content that is no media', invalidField('file', 'must be audio or video')],
    [true, 'an erased call', unprocessable('call_erased', 'The customer was erased.')],
    [true, 'a call that is gone', notFound('Call')],
    [false, 'nobody known', unauthenticated()],
    [false, 'too often', tooManyRequests(5)],
    [false, 'a storage that lacks the object', new ObjectNotFoundError('key')],
    [false, 'a storage out of reach', new StorageUnavailableError(new Error('ECONNREFUSED'))],
    [false, 'a failure of ours', new ApiError(500, 'internal', 'Something went wrong.')],
    [false, 'what nobody foresaw', new Error('9 bytes instead of 10')],
    [false, 'no error at all', undefined],
  ])('%s: %s', (expected, _what, error) => {
    expect(isRefusal(error)).toBe(expected);
  });
});
