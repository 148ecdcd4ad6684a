import { type ArgumentsHost, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError } from '../../platform/http/errors/api-error';
import { toApiError } from '../../platform/http/errors/to-api-error';
import { LateRefusals } from '../../platform/rate-limit/late-refusals';

/** Answers failures with an HTML page instead of JSON, since people read them in a browser. */
@Injectable()
export abstract class HtmlPageFilter implements ExceptionFilter {
  private readonly logger = new Logger(this.constructor.name);

  constructor(private readonly lateRefusals: LateRefusals) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const failure = toApiError(error);
    if (failure.getStatus() >= 500 && failure !== error) this.logger.error(error);
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    this.lateRefusals.answer(request, failure.getStatus(), () => {
      if (response.headersSent) {
        // A page that is partly sent cannot be replaced.
        response.destroy();
        return;
      }
      if (failure.retry_after !== undefined) response.setHeader('Retry-After', failure.retry_after);
      this.send(request, response, failure);
    });
  }

  /** Sends the page that says what failed, with the status of the failure. */
  protected abstract send(request: Request, response: Response, failure: ApiError): void;
}
