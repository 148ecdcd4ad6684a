import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/access/access.decorators';
import { MessageDto } from '../../platform/http/message.dto';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { clientAddress } from '../../platform/rate-limit/client-address';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { ForgotPassword } from './forgot-password';
import { ForgotPasswordDto, ResetPasswordDto } from './password-reset.dto';
import { ResetPassword } from './reset-password';

@ApiTags('Authentication')
@RateLimit('auth')
@Controller('api/auth')
export class PasswordResetController {
  constructor(
    private readonly forgotPassword: ForgotPassword,
    private readonly resetPassword: ResetPassword,
  ) {}

  @Post('forgot-password')
  @Public()
  @HttpCode(200)
  @ApiOperation({ operationId: 'Auth_forgot', summary: 'Request a mailed link to choose a new password' })
  @ApiData(MessageDto)
  async forgot(@Body() input: ForgotPasswordDto): Promise<MessageDto> {
    await this.forgotPassword.request(input);
    return { message: 'If there is such an account, a link to choose a new password is on its way.' };
  }

  @Post('reset-password')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'Auth_reset',
    summary: "Choose a password with a mailed token; ends all of the user's sessions",
  })
  @ApiData(MessageDto)
  async reset(@Body() input: ResetPasswordDto, @Req() request: Request): Promise<MessageDto> {
    await this.resetPassword.reset(input, clientAddress(request));
    return { message: 'The password was changed. Log in with the new one.' };
  }
}
