import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { MessageDto } from '../../platform/http/message.dto';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
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
  async invite(@CurrentUser() user: Principal, @IdParam() id: string): Promise<MessageDto> {
    await this.resendInvitation.resend(user, id);
    return { message: 'The invitation is on its way.' };
  }
}
