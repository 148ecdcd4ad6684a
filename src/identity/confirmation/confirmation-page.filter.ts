import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { toApiError } from '../../platform/http/errors/to-api-error';
import type { ConfirmationPageState } from './confirmation-page';
import { sendConfirmationPage } from './confirmation-page.response';

/** Answers failures with the HTML page instead of JSON, since people read them in a browser. */
@Catch()
export class ConfirmationPageFilter implements ExceptionFilter {
  private readonly logger = new Logger(ConfirmationPageFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const failure = toApiError(error);
    const status = failure.getStatus();
    if (status >= 500 && failure !== error) this.logger.error(error);
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (failure.retry_after !== undefined) response.setHeader('Retry-After', failure.retry_after);
    sendConfirmationPage(http.getRequest<Request>(), response, status, stateAfter(status));
  }
}

function stateAfter(status: number): ConfirmationPageState {
  if (status === 429) return 'too_often';
  return status >= 500 ? 'failed' : 'bad_token';
}
