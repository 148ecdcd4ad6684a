import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { invalidLink } from '../../access-links/link-errors';
import { linkUrl } from '../../access-links/link-url';
import { Public } from '../../platform/access/access.decorators';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { isLinkToken, withoutPastedEnd } from '../../platform/text/link-token';
import { CustomerPage } from './customer-page';
import { CustomerPageFilter } from './customer-page.filter';
import { LinkPages } from './link-pages';

/** The page that a customer's link opens. CustomerPageFilter answers failures with the same page. */
@ApiExcludeController()
@Public()
@RateLimit('page')
@UseFilters(CustomerPageFilter)
@Controller('c')
export class CustomerPageController {
  constructor(
    private readonly links: LinkPages,
    private readonly page: CustomerPage,
  ) {}

  @Get(':token')
  show(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(token, request, response);
  }

  /** The button of the widget, in a frame of its own. */
  @Get(':token/button')
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
    const { found, company } = await this.links.of(token);
    await this.page.send(request, response, found, company);
  }
}
