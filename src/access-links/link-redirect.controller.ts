import { Controller, Get, Param, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { Public } from '../platform/access/public.decorator';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';

/** The address that a link's `url` names: leads to what stands behind the link. */
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
