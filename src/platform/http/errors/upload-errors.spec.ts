import { PayloadTooLargeException } from '@nestjs/common';
import { MulterError } from 'multer';
import { ApiError } from './api-error';
import { translateUploadError } from './upload-errors';

describe('translateUploadError', () => {
  it.each([
    [new MulterError('LIMIT_FILE_SIZE', 'file'), 413],
    [new MulterError('LIMIT_FIELD_VALUE', 'note'), 413],
    [new MulterError('LIMIT_FILE_COUNT'), 422],
    [new MulterError('LIMIT_UNEXPECTED_FILE', 'logo'), 422],
    [new MulterError('LIMIT_PART_COUNT'), 400],
    [new MulterError('LIMIT_FIELD_COUNT'), 400],
    [new MulterError('LIMIT_FIELD_KEY'), 400],
    [new Error('Multipart: Boundary not found'), 400],
    [new Error('Malformed part header'), 400],
    [new Error('Malformed content type'), 400],
    [new Error('Unexpected end of form'), 400],
    [new Error('Unexpected end of file'), 400],
    [new Error('Request aborted'), 400],
    [new Error('Request closed'), 400],
    [new Error('Unsupported content type: multipart/mixed; boundary=x'), 415],
  ])('%s: %d, also when Nest wraps it', (error, status) => {
    for (const thrown of [error, new PayloadTooLargeException('x', { cause: error })]) {
      expect(translateUploadError(thrown)?.getStatus()).toBe(status);
    }
  });

  it('reports the field', () => {
    const failure = translateUploadError(new MulterError('LIMIT_UNEXPECTED_FILE', 'logo'));
    expect(failure?.fields).toEqual({ logo: [expect.any(String)] });
  });

  it.each([
    [new Error('Something else')],
    [new Error('constructor')],
    [new Error('')],
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    [new PayloadTooLargeException()],
    [new ApiError(404, 'not_found', 'Not found.')],
    ['LIMIT_FILE_SIZE'],
    [undefined],
  ])('does not translate other errors (%#)', (error) => {
    expect(translateUploadError(error)).toBeUndefined();
  });
});
