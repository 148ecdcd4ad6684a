import { Body, Controller, Get, Post, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { HtmlFormInterceptor } from '../pages/html-form.interceptor';
import { Public } from '../../platform/access/access.decorators';
import { clientAddress } from '../../platform/rate-limit/client-address';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { pageToken } from '../pages/page-request';
import { ResetPasswordDto } from './password-reset.dto';
import { PasswordPageFilter } from './password-page.filter';
import { sendPasswordPage } from './password-page.response';
import { PasswordTokens } from './password-tokens';
import { ResetPassword } from './reset-password';

/** The page that mailed links open. PasswordPageFilter answers failures with the same page. */
@ApiExcludeController()
@Public()
@UseFilters(PasswordPageFilter)
@Controller('reset-password')
export class PasswordPageController {
  constructor(
    private readonly resets: ResetPassword,
    private readonly tokens: PasswordTokens,
  ) {}

  @Get()
  @RateLimit('public')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const isValid = await this.tokens.isValid(pageToken(request));
    sendPasswordPage(request, response, isValid ? 200 : 422, isValid ? 'form' : 'bad_token');
  }

  @Post()
  @RateLimit('auth')
  @UseInterceptors(HtmlFormInterceptor)
  async submit(
    @Body() input: ResetPasswordDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const tenant = await this.resets.reset(input, clientAddress(request));
    sendPasswordPage(request, response, 200, 'done', tenant);
  }
}
