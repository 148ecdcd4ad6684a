import { Controller, Get, Param, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { Public } from '../platform/access/access.decorators';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { withoutPastedEnd } from '../platform/text/link-token';
import { linkUrl } from './link-url';

/** The address of links that were sent before there was a page: redirects browsers there, other clients to the validation. */
@ApiExcludeController()
@Public()
@RateLimit('page')
@Controller('call')
export class LinkRedirectController {
  @Get(':token')
  @Redirect()
  @Unwrapped()
  redirect(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): { url: string; statusCode: number } {
    response.vary('Accept');
    const id = encodeURIComponent(withoutPastedEnd(token));
    if (!request.accepts().includes('text/html'))
      return { url: `/api/v1/call/${id}/validate`, statusCode: 303 };
    return { url: linkUrl('', id) + queryOf(request.originalUrl), statusCode: 302 };
  }
}

/** The query with its question mark; empty without one. */
const queryOf = (url: string): string => url.replace(/^[^?]*/, '');
