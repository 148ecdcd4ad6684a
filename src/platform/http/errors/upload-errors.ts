import type { Request } from 'express';
import { UnreadBody } from '../input/unread-body';
import { ApiError, badRequest, invalidField, unprocessable, unsupportedMediaType } from './api-error';

const malformed = () => badRequest('The multipart body is malformed or incomplete.');
const tooLarge = () =>
  new ApiError(413, 'payload_too_large', 'The request body is larger than this endpoint takes.');

const notAForm = () => unsupportedMediaType('Send the file as multipart/form-data.');

/** 415 for a body that is not a form, 422 for an empty one and for a form without the file. */
export async function missingFile(request: Request, field: string): Promise<ApiError> {
  const body: unknown = request.body;
  const isEmpty = body instanceof UnreadBody ? await body.isEmpty() : body === undefined;
  return isEmpty || request.is('multipart/form-data')
    ? invalidField(field, 'must be sent as a file of a multipart/form-data body')
    : notAForm();
}

/** The errors for multer's codes and for the first words of busboy's messages. */
const UPLOAD_ERRORS: Record<string, (field: string) => ApiError> = {
  LIMIT_FILE_SIZE: tooLarge,
  LIMIT_FIELD_VALUE: tooLarge,
  LIMIT_FILE_COUNT: () => unprocessable('validation_failed', 'Send one file only.'),
  LIMIT_UNEXPECTED_FILE: (field) => invalidField(field, 'is not a file that this endpoint accepts'),
  LIMIT_PART_COUNT: malformed,
  LIMIT_FIELD_COUNT: malformed,
  LIMIT_FIELD_KEY: malformed,
  LIMIT_FIELD_NESTING: malformed,
  LIMIT_FIELD_ARRAY_INDEX: malformed,
  INVALID_FIELD_NAME: malformed,
  MISSING_FIELD_NAME: malformed,
  // The client disconnected.
  STREAM_DESTROYED: malformed,
  'Request aborted': malformed,
  'Request closed': malformed,
  'Multipart: Boundary not found': malformed,
  'Malformed part header': malformed,
  'Malformed content type': malformed,
  'Unexpected end of form': malformed,
  'Unexpected end of file': malformed,
  'Unsupported content type': notAForm,
};

/** Translates an error of multer or busboy, also one that Nest wraps; undefined for any other error. */
export function translateUploadError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code, field } = cause as { code?: unknown; field?: unknown };
  const key =
    typeof code === 'string' ? code : (/^[^:]+(: Boundary not found)?/.exec(cause.message)?.[0] ?? '');
  if (!Object.hasOwn(UPLOAD_ERRORS, key)) return undefined;
  return UPLOAD_ERRORS[key]?.(typeof field === 'string' ? field : 'file');
}
