import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError } from '../../platform/http/errors/api-error';
import { HtmlPageFilter } from '../pages/html-page.filter';
import type { PasswordPageState } from './password-page';
import { sendPasswordPage } from './password-page.response';

@Catch()
export class PasswordPageFilter extends HtmlPageFilter {
  protected override send(request: Request, response: Response, failure: ApiError): void {
    sendPasswordPage(request, response, failure.getStatus(), stateAfter(failure));
  }
}

function stateAfter(failure: ApiError): PasswordPageState {
  const status = failure.getStatus();
  if (status === 429) return 'too_often';
  if (status >= 500) return 'failed';
  return failure.fields?.password && !failure.fields.token ? 'bad_password' : 'bad_token';
}
