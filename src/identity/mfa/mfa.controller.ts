import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileEnrolling, CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import type { Principal } from '../../platform/access/principal';
import { MfaService } from './mfa.service';
import { EnrolMfaDto, MfaCodeDto, MfaEnrolmentDto, RecoveryCodesDto } from './mfa.dto';

@ApiTags('Multi-factor authentication')
@Controller('api/v1/users')
export class MfaController {
  constructor(private readonly mfa: MfaService) {}

  @Post('me/mfa')
  @MinimumRole('attendant')
  @AllowedWhileEnrolling()
  @HttpCode(200)
  @ApiOperation({ summary: 'Get a secret for an authenticator app' })
  @ApiData(MfaEnrolmentDto)
  @ApiFailure(
    403,
    'The login is older than 10 minutes and no password was sent',
    'reauthentication_required',
    'Your login is older than 10 minutes. Log in again, or send your password.',
  )
  @ApiFailure(422, 'MFA is enabled already, or the password is wrong', 'mfa_enabled', 'MFA is on already.')
  enrol(@CurrentUser() user: Principal, @Body() { password }: EnrolMfaDto): Promise<MfaEnrolmentDto> {
    return this.mfa.enrol(user, password ?? null);
  }

  @Post('me/mfa/confirm')
  @MinimumRole('attendant')
  @AllowedWhileEnrolling()
  @HttpCode(200)
  @ApiOperation({ summary: 'Enable MFA with a code from the app' })
  @ApiData(RecoveryCodesDto)
  confirm(@CurrentUser() user: Principal, @Body() { code }: MfaCodeDto): Promise<RecoveryCodesDto> {
    return this.mfa.confirm(user, code);
  }

  @Delete('me/mfa')
  @MinimumRole('attendant')
  @HttpCode(204)
  @ApiOperation({ summary: 'Disable MFA with a code from the app, or a recovery code' })
  disable(@CurrentUser() user: Principal, @Body() { code }: MfaCodeDto): Promise<void> {
    return this.mfa.disable(user, code);
  }

  @Delete(':id/mfa')
  @MinimumRole('manager')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiOperation({ summary: 'Remove the MFA of a user who has lost it, and end their sessions' })
  @ApiFailure(
    422,
    'The user is the caller, who disables MFA with a code',
    'own_mfa',
    'Turn your own MFA off with a code: DELETE /api/v1/users/me/mfa.',
  )
  reset(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.mfa.reset(user, id);
  }
}
