import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { MessageDto } from '../../platform/http/message.dto';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { ResendInvitation } from './resend-invitation';

@ApiTags('Users')
@Controller('api/v1/users')
export class InvitationsController {
  constructor(private readonly resendInvitation: ResendInvitation) {}

  @Post(':id/invitation')
  @MinimumRole('manager')
  @HttpCode(200)
  @ApiOperation({ operationId: 'Users_invite', summary: 'Resend the invitation to choose a password' })
  @ApiData(MessageDto)
  @ApiFailure(
    422,
    'The user is inactive or has a password (`not_invited`), or too many links are still valid (`too_many_links`)',
    'not_invited',
    'Only an active user who has no password yet can be invited.',
  )
  async invite(@CurrentUser() user: Principal, @IdParam() id: string): Promise<MessageDto> {
    await this.resendInvitation.resend(user, id);
    return { message: 'The invitation is on its way.' };
  }
}
