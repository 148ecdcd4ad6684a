import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { invalidLink } from '../../access-links/link-errors';
import { linkUrl } from '../../access-links/link-url';
import { CustomerCallActions } from '../../calls/customer/customer-call-actions';
import { Public } from '../../platform/access/public.decorator';
import { ApiError } from '../../platform/http/errors/api-error';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { isLinkToken, withoutPastedEnd } from '../../platform/text/link-token';
import { CustomerPage } from './customer-page';
import { CustomerPageFilter } from './customer-page.filter';
import { LinkCompanies } from './link-companies';

/** The page that a customer's link opens. CustomerPageFilter answers failures with the same page. */
@ApiExcludeController()
@Public()
@RateLimit('page')
@UseFilters(CustomerPageFilter)
@Controller('c')
export class CustomerPageController {
  constructor(
    private readonly calls: CustomerCallActions,
    private readonly companies: LinkCompanies,
    private readonly page: CustomerPage,
  ) {}

  @Get(':token')
  show(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(token, request, response);
  }

  /** The button of the widget, in a frame of its own: visitors of one office who read a site must not use up its pages. */
  @Get(':token/button')
  @RateLimit('asset')
  showButton(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(token, request, response);
  }

  /** Links that were cut or have something appended. */
  @Get(['', '*rest'])
  showInvalidLink(): never {
    throw invalidLink();
  }

  /** Redirects to the address without what was pasted behind the token: the page reads the token from its address. */
  private async send(text: string, request: Request, response: Response): Promise<void> {
    const token = withoutPastedEnd(text);
    if (!isLinkToken(token)) throw invalidLink();
    if (token !== text) {
      const [, rest] = /^\/c\/[^/?]+(.*)$/is.exec(request.originalUrl) ?? [];
      response.redirect(linkUrl('', token) + (rest ?? ''));
      return;
    }
    const company = await this.companies.ofToken(token);
    if (!company) throw invalidLink();
    const link = await this.calls.validate(token).catch(linkProblem);
    this.page.send(request, response, link, company);
  }
}

/** Passes on why the link is not valid; the company can be shown beside it. @throws any other failure */
function linkProblem(error: unknown): ApiError {
  if (error instanceof ApiError && error.getStatus() === 404) return error;
  throw error;
}
