import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HtmlPageFilter } from '../../identity/pages/html-page.filter';
import type { ApiError } from '../../platform/http/errors/api-error';
import { LateRefusals } from '../../platform/rate-limit/late-refusals';
import { CustomerPage } from './customer-page';

/** Answers failures with the page, without the company: the rate limit must not cost a query. */
@Catch()
export class CustomerPageFilter extends HtmlPageFilter {
  constructor(
    private readonly page: CustomerPage,
    lateRefusals: LateRefusals,
  ) {
    super(lateRefusals);
  }

  protected override send(request: Request, response: Response, failure: ApiError): void {
    // So many pages are being opened that this one is left out, or the client has gone away.
    this.page
      .send(request, response, failure, undefined)
      .catch(() => response.status(failure.getStatus()).end());
  }
}
