import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { AgentDto, ExtendWrapUpDto } from './agent.dto';
import { AgentList } from './agent-list';
import { WrapUp } from './wrap-up';

@ApiTags('Agents')
@MinimumRole('attendant')
@Controller('api/v1/users/me/wrap-up')
export class OwnWrapUpController {
  constructor(
    private readonly wrapUp: WrapUp,
    private readonly agents: AgentList,
  ) {}

  @Post('finish')
  @HttpCode(200)
  @ApiOperation({ summary: 'End your wrap-up; without one, nothing changes' })
  @ApiData(AgentDto)
  async finish(@CurrentUser() user: Principal): Promise<AgentDto> {
    await this.wrapUp.finish(user);
    return this.agents.get(user.tenant_id, user.user_id);
  }

  @Post('extend')
  @HttpCode(200)
  @ApiOperation({ summary: 'Make your wrap-up longer' })
  @ApiData(AgentDto)
  @ApiFailure(
    422,
    'The user is not in wrap-up, or the wrap-up would last too long',
    'not_in_wrap_up',
    'The agent is not wrapping up a call.',
  )
  async extend(@CurrentUser() user: Principal, @Body() { seconds }: ExtendWrapUpDto): Promise<AgentDto> {
    await this.wrapUp.extend(user, seconds);
    return this.agents.get(user.tenant_id, user.user_id);
  }
}
