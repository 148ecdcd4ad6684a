import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { ApiFailure } from '../platform/http/open-api.decorators';
import type { Principal } from '../platform/http/principal';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { Public } from '../platform/http/public.decorator';
import { CurrentUser, MinimumRole } from '../platform/http/access.decorators';
import { LoginAnswerDto, LoginDto, LogoutDto, RefreshDto } from './auth.dto';
import { Login } from './login';
import { Logout } from './logout';
import { Refresh } from './refresh';

@ApiTags('Authentication')
@RateLimit('auth')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly logins: Login,
    private readonly refreshes: Refresh,
    private readonly logouts: Logout,
  ) {}

  @Post('login')
  @Public()
  @HttpCode(200)
  @Unwrapped()
  @ApiOperation({ summary: 'Log in' })
  @ApiOkResponse({ type: LoginAnswerDto })
  @ApiFailure(401, 'Tenant, e-mail or password is wrong', 'invalid_credentials')
  @ApiFailure(403, 'The tenant is suspended', 'tenant_suspended', 'This tenant is suspended.')
  login(@Body() input: LoginDto, @Req() request: Request): Promise<LoginAnswerDto> {
    const user_agent = request.headers['user-agent'] ?? null;
    return this.logins.login(input, { address: request.ip ?? null, user_agent });
  }

  @Post('refresh')
  @Public()
  @HttpCode(200)
  @Unwrapped()
  @ApiOperation({ summary: 'Exchange a refresh token for a new pair of tokens' })
  @ApiOkResponse({ type: LoginAnswerDto })
  @ApiFailure(
    401,
    'The refresh token is not valid; a reused one ends its session',
    'invalid_refresh_token',
    'The refresh token is not valid. Log in again.',
  )
  refresh(@Body() input: RefreshDto): Promise<LoginAnswerDto> {
    return this.refreshes.refresh(input.refresh_token);
  }

  @Post('logout')
  @MinimumRole('attendant')
  @HttpCode(204)
  @ApiOperation({ summary: 'End the session, or the session of the refresh token as well' })
  logout(@CurrentUser() user: Principal, @Body() input: LogoutDto): Promise<void> {
    return this.logouts.logout(user, input.refresh_token ?? null);
  }
}
