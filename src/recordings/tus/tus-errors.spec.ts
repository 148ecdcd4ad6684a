import { ERRORS } from '@tus/server';
import { ApiError } from '../../platform/http/errors/api-error';
import { toTusApiError } from './tus-errors';

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
