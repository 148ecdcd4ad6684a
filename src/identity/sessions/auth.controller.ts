import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import {
  AllowedWhileEnrolling,
  CurrentUser,
  MinimumRole,
  Public,
} from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { Unwrapped } from '../../platform/http/envelope.interceptor';
import { ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { LoginAnswerDto, LoginDto, LogoutDto, MfaChallengeDto, RefreshDto } from './auth.dto';
import { Login } from './login';
import { Logout } from './logout';
import { RefreshSession } from './refresh-session';
import { sessionClientOf } from './session-client';

@ApiTags('Authentication')
@RateLimit('auth')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly loginUseCase: Login,
    private readonly refreshUseCase: RefreshSession,
    private readonly logoutUseCase: Logout,
  ) {}

  @Post('login')
  @Public()
  @HttpCode(200)
  @Unwrapped()
  @ApiOperation({ summary: 'Log in' })
  @ApiExtraModels(LoginAnswerDto, MfaChallengeDto)
  @ApiOkResponse({
    description: 'Tokens; if MFA is enabled, an mfa_token for mfa/verify instead',
    schema: { anyOf: [{ $ref: getSchemaPath(LoginAnswerDto) }, { $ref: getSchemaPath(MfaChallengeDto) }] },
  })
  @ApiFailure(401, 'Tenant, e-mail or password is wrong', 'invalid_credentials')
  @ApiFailure(403, 'The tenant is suspended', 'tenant_suspended', 'This tenant is suspended.')
  login(@Body() input: LoginDto, @Req() request: Request): Promise<LoginAnswerDto | MfaChallengeDto> {
    return this.loginUseCase.login(input, sessionClientOf(request));
  }

  @Post('refresh')
  @Public()
  @HttpCode(200)
  @Unwrapped()
  @ApiOperation({ summary: 'Exchange a refresh token for a new pair of tokens' })
  @ApiOkResponse({ type: LoginAnswerDto })
  @ApiFailure(
    401,
    'The refresh token is not valid; a token that is used again more than 30 s after its first use, or after its successor was used, ends the session',
    'invalid_refresh_token',
    'The refresh token is not valid. Log in again.',
  )
  refresh(@Body() input: RefreshDto): Promise<LoginAnswerDto> {
    return this.refreshUseCase.refresh(input.refresh_token);
  }

  @Post('logout')
  @MinimumRole('attendant')
  @AllowedWhileEnrolling()
  @HttpCode(204)
  @ApiOperation({ summary: "End the current session, and the given refresh token's session as well" })
  logout(@CurrentUser() user: Principal, @Body() input: LogoutDto): Promise<void> {
    return this.logoutUseCase.logout(user, input.refresh_token ?? null);
  }
}
