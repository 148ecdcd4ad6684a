import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError } from '../../platform/http/errors/api-error';
import { HtmlPageFilter } from '../pages/html-page.filter';
import type { ConfirmationPageState } from './confirmation-page';
import { sendConfirmationPage } from './confirmation-page.response';

@Catch()
export class ConfirmationPageFilter extends HtmlPageFilter {
  protected override send(request: Request, response: Response, failure: ApiError): void {
    sendConfirmationPage(request, response, failure.getStatus(), stateAfter(failure));
  }
}

function stateAfter(failure: ApiError): ConfirmationPageState {
  const status = failure.getStatus();
  if (status === 429) return 'too_often';
  return status >= 500 ? 'failed' : 'bad_token';
}
