import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HtmlPageFilter } from '../../identity/pages/html-page.filter';
import type { ApiError } from '../../platform/http/errors/api-error';
import { CustomerPage } from './customer-page';

/** Answers failures with the page, without the company: the rate limit must not cost a query. */
@Catch()
export class CustomerPageFilter extends HtmlPageFilter {
  constructor(private readonly page: CustomerPage) {
    super();
  }

  protected override send(request: Request, response: Response, failure: ApiError): void {
    this.page.send(request, response, failure, undefined);
  }
}
