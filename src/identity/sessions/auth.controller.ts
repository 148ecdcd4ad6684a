import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { bareAddress } from '../../platform/http/input/bare-address';
import { Unwrapped } from '../../platform/http/envelope.interceptor';
import { MessageDto } from '../../platform/http/message.dto';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import type { Principal } from '../../platform/access/principal';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { Public } from '../../platform/access/public.decorator';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import {
  ForgotPasswordDto,
  LoginAnswerDto,
  LoginDto,
  LogoutDto,
  MfaChallengeDto,
  RefreshDto,
  ResetPasswordDto,
  VerifyMfaDto,
} from './auth.dto';
import { Login } from './login';
import { Logout } from './logout';
import { VerifyMfa } from '../mfa/verify-mfa';
import { ForgotPassword } from '../password-reset/forgot-password';
import { ResetPassword } from '../password-reset/reset-password';
import { Refresh } from './refresh';
import type { Client } from './sessions.service';
import { AllowedWhileEnrolling } from '../mfa/allowed-while-enrolling';

@ApiTags('Authentication')
@RateLimit('auth')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly logins: Login,
    private readonly refreshes: Refresh,
    private readonly logouts: Logout,
    private readonly verifications: VerifyMfa,
    private readonly forgotten: ForgotPassword,
    private readonly resets: ResetPassword,
  ) {}

  @Post('login')
  @Public()
  @HttpCode(200)
  @Unwrapped()
  @ApiOperation({ summary: 'Log in' })
  @ApiExtraModels(LoginAnswerDto, MfaChallengeDto)
  @ApiOkResponse({
    description: 'Tokens, or with MFA on what mfa/verify wants',
    schema: { anyOf: [{ $ref: getSchemaPath(LoginAnswerDto) }, { $ref: getSchemaPath(MfaChallengeDto) }] },
  })
  @ApiFailure(401, 'Tenant, e-mail or password is wrong', 'invalid_credentials')
  @ApiFailure(403, 'The tenant is suspended', 'tenant_suspended', 'This tenant is suspended.')
  login(@Body() input: LoginDto, @Req() request: Request): Promise<LoginAnswerDto | MfaChallengeDto> {
    return this.logins.login(input, clientOf(request));
  }

  @Post('mfa/verify')
  @Public()
  @HttpCode(200)
  @Unwrapped()
  @ApiOperation({ summary: 'Finish a login with a code of the authenticator app, or a recovery code' })
  @ApiOkResponse({ type: LoginAnswerDto })
  @ApiFailure(
    401,
    'The code is wrong or has been used (`invalid_code`), or the login has expired',
    'invalid_code',
  )
  verify(@Body() input: VerifyMfaDto, @Req() request: Request): Promise<LoginAnswerDto> {
    return this.verifications.verify(input, clientOf(request));
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
  @AllowedWhileEnrolling()
  @HttpCode(204)
  @ApiOperation({ summary: 'End the session, or the session of the refresh token as well' })
  logout(@CurrentUser() user: Principal, @Body() input: LogoutDto): Promise<void> {
    return this.logouts.logout(user, input.refresh_token ?? null);
  }

  @Post('forgot-password')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Have a link mailed to choose a new password' })
  @ApiData(MessageDto)
  async forgot(@Body() input: ForgotPasswordDto): Promise<MessageDto> {
    await this.forgotten.request(input);
    return { message: 'If there is such an account, a link to choose a new password is on its way.' };
  }

  @Post('reset-password')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Choose a password with a mailed token; ends all sessions of the user' })
  @ApiData(MessageDto)
  async reset(@Body() input: ResetPasswordDto): Promise<MessageDto> {
    await this.resets.reset(input);
    return { message: 'The password was changed. Log in with the new one.' };
  }
}

function clientOf(request: Request): Client {
  return { address: bareAddress(request.ip), user_agent: request.headers['user-agent'] ?? null };
}
