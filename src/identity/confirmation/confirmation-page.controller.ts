import { Controller, Get, Post, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/access/access.decorators';
import { HtmlFormInterceptor } from '../pages/html-form.interceptor';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { pageToken } from '../pages/page-request';
import { ConfirmationPageFilter } from './confirmation-page.filter';
import { sendConfirmationPage } from './confirmation-page.response';
import { EmailConfirmation } from './email-confirmation';

/** The page that the link in a confirmation mail opens. ConfirmationPageFilter answers failures with the same page. */
@ApiExcludeController()
@Public()
@UseFilters(ConfirmationPageFilter)
@Controller('confirm-email')
export class ConfirmationPageController {
  constructor(private readonly confirmation: EmailConfirmation) {}

  @Get()
  @RateLimit('public')
  show(@Req() request: Request, @Res() response: Response): void {
    // A link that a mail program has cut off has no token, so the button could only fail.
    if (pageToken(request)) sendConfirmationPage(request, response, 200, 'form');
    else sendConfirmationPage(request, response, 422, 'bad_token');
  }

  @Post()
  @RateLimit('auth')
  @UseInterceptors(HtmlFormInterceptor)
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.confirmation.confirm(pageToken(request));
    sendConfirmationPage(request, response, 200, 'done');
  }
}
