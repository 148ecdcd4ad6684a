import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError, type FieldErrors } from './api-error';
import { isDatabaseOutOfReach, translateDatabaseError } from './database-errors';
import { translateUploadError } from '../uploads/upload-errors';

/** The one shape of every failure. */
export interface ErrorBody {
  errors: { detail: string; code: string; fields?: FieldErrors };
}

/** How soon a client that was turned away may come again. */
const RETRY_SECONDS = 5;

const CODES: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Sentences for failures that other layers report in words of their own. */
const DETAILS: Record<number, string> = {
  400: 'The request could not be understood: its JSON, its encoding or its address is malformed.',
  404: 'There is nothing at this address.',
  413: 'The request body is larger than this endpoint takes.',
  415: 'The request body has an encoding or charset that is not supported.',
};

/** Turns whatever was thrown, in any layer, into the one error shape. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(error: unknown, host: ArgumentsHost): void {
    const failure = toApiError(error);
    // A 503 of our own (not ready, shutting down) is an answer, not a fault.
    if (failure.getStatus() >= 500 && failure !== error) this.logger.error(error);
    // A socket message has had its acknowledgement from the interceptor; there is no response to write.
    if (host.getType() !== 'http') return;
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      // Half an answer cannot be mended: the client must see that it broke off.
      response.destroy();
      return;
    }
    const seconds = failure.retry_after ?? (failure.getStatus() === 503 ? RETRY_SECONDS : undefined);
    if (seconds !== undefined) response.setHeader('Retry-After', seconds);
    response.status(failure.getStatus()).json(errorBody(failure));
  }
}

export function errorBody(failure: ApiError): ErrorBody {
  const { code, detail, fields } = failure;
  return { errors: fields ? { detail, code, fields } : { detail, code } };
}

/** The failure as callers may see it; anything unforeseen becomes a bare 500. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const translated = translateDatabaseError(error) ?? translateUploadError(error);
  if (translated) return translated;
  const status = isDatabaseOutOfReach(error) ? 503 : statusOf(error);
  if (status === 503) return new ApiError(503, 'unavailable', 'The service is busy. Try again in a moment.');
  if (status === undefined || status >= 500) {
    return new ApiError(500, 'internal_error', 'Something went wrong on our side.');
  }
  const detail = DETAILS[status] ?? (error instanceof Error ? error.message : 'The request failed.');
  return new ApiError(status, CODES[status] ?? 'bad_request', detail);
}

/** Nest's exceptions and those of Express's middleware (body-parser, send) carry a status. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  if (typeof error === 'object' && error !== null && 'status' in error && 'expose' in error) {
    return typeof error.status === 'number' ? error.status : undefined;
  }
  return undefined;
}
