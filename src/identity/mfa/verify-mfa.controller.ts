import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/access/access.decorators';
import { Unwrapped } from '../../platform/http/envelope.interceptor';
import { ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { LoginAnswerDto } from '../sessions/auth.dto';
import { sessionClientOf } from '../sessions/session-client';
import { VerifyMfaDto } from './mfa.dto';
import { VerifyMfa } from './verify-mfa';

@ApiTags('Authentication')
@RateLimit('auth')
@Controller('api/auth/mfa')
export class VerifyMfaController {
  constructor(private readonly verifyMfa: VerifyMfa) {}

  @Post('verify')
  @Public()
  @HttpCode(200)
  @Unwrapped()
  @ApiOperation({
    operationId: 'Auth_verify',
    summary: 'Finish a login with a code from the authenticator app, or a recovery code',
  })
  @ApiOkResponse({ type: LoginAnswerDto })
  @ApiFailure(
    401,
    'The code is wrong or already used (`invalid_code`), or the login has expired',
    'invalid_code',
  )
  verify(@Body() input: VerifyMfaDto, @Req() request: Request): Promise<LoginAnswerDto> {
    return this.verifyMfa.verify(input, sessionClientOf(request));
  }
}
