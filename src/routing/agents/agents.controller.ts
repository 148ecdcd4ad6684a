import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { AgentDto, AgentListQuery } from './agent.dto';
import { AgentList } from './agent-list';

@ApiTags('Agents')
@MinimumRole('supervisor')
@Controller('api/v1/agents')
export class AgentsController {
  constructor(private readonly agents: AgentList) {}

  @Get()
  @ApiOperation({ summary: 'List the active users by name, each with their state as an agent' })
  @ApiData(AgentDto, { list: true })
  list(@CurrentUser() user: Principal, @Query() { department_id }: AgentListQuery): Promise<AgentDto[]> {
    return this.agents.list(user.tenant_id, department_id);
  }
}
