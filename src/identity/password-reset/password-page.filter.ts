import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError } from '../../platform/http/errors/api-error';
import { toApiError } from '../../platform/http/errors/error.filter';
import type { PasswordPageState } from './password-page';
import { sendPage } from './password-page.response';

/** Answers failures with the HTML page instead of JSON, since people read them in a browser. */
@Catch()
export class PasswordPageFilter implements ExceptionFilter {
  private readonly logger = new Logger(PasswordPageFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const failure = toApiError(error);
    const status = failure.getStatus();
    if (status >= 500 && failure !== error) this.logger.error(error);
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (failure.retry_after !== undefined) response.setHeader('Retry-After', failure.retry_after);
    sendPage(http.getRequest<Request>(), response, status, stateAfter(failure));
  }
}

function stateAfter(failure: ApiError): PasswordPageState {
  const status = failure.getStatus();
  if (status === 429) return 'too_often';
  if (status >= 500) return 'failed';
  return failure.fields?.password && !failure.fields.token ? 'bad_password' : 'bad_token';
}
