import { ERRORS } from '@tus/server';
import {
  ApiError,
  invalidField,
  notFound,
  tooManyRequests,
  unauthenticated,
  unprocessable,
} from '../../platform/http/errors/api-error';
import { ObjectNotFoundError, StorageUnavailableError } from '../../platform/storage/storage';
import { isPermanentError, toTusApiError } from './upload-errors';

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

describe('toTusApiError', () => {
  it.each<[keyof typeof ERRORS, number, string]>([
    ['MISSING_OFFSET', 400, 'bad_request'],
    ['INVALID_CONTENT_TYPE', 400, 'bad_request'],
    ['INVALID_LENGTH', 400, 'bad_request'],
    ['INVALID_METADATA', 400, 'bad_request'],
    ['UNSUPPORTED_CONCATENATION_EXTENSION', 400, 'bad_request'],
    ['FILE_NOT_FOUND', 404, 'not_found'],
    ['INVALID_OFFSET', 409, 'offset_conflict'],
    ['ERR_SIZE_EXCEEDED', 413, 'payload_too_large'],
    ['ERR_MAX_SIZE_EXCEEDED', 413, 'payload_too_large'],
  ])('%s: %d', (name, status, code) => {
    const { status_code, body } = ERRORS[name];
    const error = toTusApiError(status_code, body) as ApiError;
    expect([error.getStatus(), error.code]).toEqual([status, code]);
    expect(error.detail).toMatch(/[^.\s]\.$/);
  });

  it('turns an unexpected status into an internal error', () => {
    const error = toTusApiError(ERRORS.FILE_WRITE_ERROR.status_code, ERRORS.FILE_WRITE_ERROR.body);
    expect(error).not.toBeInstanceOf(ApiError);
  });
});
