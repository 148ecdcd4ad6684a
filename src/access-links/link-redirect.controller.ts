import { Controller, Get, Param, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Unwrapped } from '../platform/http/envelope';
import { Public } from '../platform/access/public.decorator';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';

/** Redirects a link's `url` to its validation. */
@ApiExcludeController()
@Public()
@RateLimit('public')
@Controller('call')
export class LinkRedirectController {
  @Get(':token')
  @Redirect('', 303)
  @Unwrapped()
  redirect(@Param('token') token: string): { url: string } {
    return { url: `/api/v1/call/${encodeURIComponent(token)}/validate` };
  }
}
