import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LateRefusals } from '../../rate-limit/late-refusals';
import { ApiError, type ErrorValues, type FieldErrors, MAX_REPORTED_FIELDS } from './api-error';
import type { ErrorCode } from './error-codes';
import { toApiError } from './to-api-error';
import { WrongMethodError, wrongMethodError } from './wrong-method';

/** The body of every error response. */
export interface ErrorBody {
  errors: { detail: string; code: ErrorCode; fields?: FieldErrors } & ErrorValues;
}

/** Answers every error that a request throws with the one error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  constructor(private readonly lateRefusals: LateRefusals) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // A socket message has been acknowledged by its interceptor; there is no response to write.
    if (host.getType() !== 'http') return this.log(error, toApiError(error));
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const failure = wrongMethodError(error, request) ?? toApiError(error);
    this.log(error, failure);
    this.lateRefusals.answer(request, failure.getStatus(), () => this.answer(failure, request, response));
  }

  private answer(failure: ApiError, request: Request, response: Response): void {
    if (response.headersSent) {
      // A response that is partly sent cannot be replaced. A broken connection tells the client that it is incomplete.
      response.destroy();
      return;
    }
    if (failure.retry_after !== undefined) response.setHeader('Retry-After', failure.retry_after);
    if (failure instanceof WrongMethodError) response.setHeader('Allow', failure.allow.join(', '));
    if (failure.getStatus() === 401) response.setHeader('WWW-Authenticate', challengeTo(request));
    response.status(failure.getStatus()).json(errorBody(failure));
  }

  private log(error: unknown, failure: ApiError): void {
    // A 503 that the service chose itself, such as while it shuts down, is no fault to log.
    if (failure.getStatus() >= 500 && !(error instanceof ApiError)) this.logger.error(error);
  }
}

/** What a 401 asks for (RFC 6750, 3): without an error if no token was sent. */
const challengeTo = ({ headers: { authorization } }: Request): string =>
  /^Bearer /i.test(authorization ?? '') ? 'Bearer error="invalid_token"' : 'Bearer';

export function errorBody(failure: ApiError): ErrorBody {
  const { code, detail, fields, values } = failure;
  if (!fields) return { errors: { detail, code, ...values } };
  const reported = Object.fromEntries(Object.entries(fields).slice(0, MAX_REPORTED_FIELDS));
  return { errors: { detail, code, fields: reported, ...values } };
}
