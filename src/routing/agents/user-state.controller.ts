import { Body, Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { AgentDto, ChooseStateDto } from './agent.dto';
import { AgentList } from './agent-list';
import { ChooseState } from './choose-state';

@ApiTags('Agents')
@MinimumRole('attendant')
@Controller('api/v1/users/:id/state')
export class UserStateController {
  constructor(
    private readonly states: ChooseState,
    private readonly agents: AgentList,
  ) {}

  @Put()
  @ApiOperation({
    summary: 'Become available or pause; supervisors can choose the state of others',
    description: 'It applies while the agent is connected, and not in a call or in wrap-up.',
  })
  @ApiData(AgentDto)
  async choose(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() choice: ChooseStateDto,
  ): Promise<AgentDto> {
    await this.states.choose(user, id, choice);
    return this.agents.get(user.tenant_id, id);
  }
}
