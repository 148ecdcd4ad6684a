import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiPage } from '../../platform/http/openapi/openapi.decorators';
import type { Page } from '../../platform/http/lists/pagination';
import type { Principal } from '../../platform/access/principal';
import { OwnSessionsService } from './own-sessions.service';
import { SessionDto, SessionListQuery } from './session.dto';

@ApiTags('Sessions')
@Controller('api/v1/users/me/sessions')
export class OwnSessionsController {
  constructor(private readonly sessions: OwnSessionsService) {}

  @Get()
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'List your open sessions' })
  @ApiPage(SessionDto)
  page(@CurrentUser() user: Principal, @Query() query: SessionListQuery): Promise<Page<SessionDto>> {
    return this.sessions.page(user, query);
  }

  @Delete(':id')
  @MinimumRole('attendant')
  @HttpCode(204)
  @ApiOperation({ summary: 'End one of your sessions: its tokens and sockets stop working at once' })
  revoke(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.sessions.revoke(user, id);
  }
}
