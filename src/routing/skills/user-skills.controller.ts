import { Body, Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { UserSkillDto } from '../../identity/users/user.dto';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { ReplaceUserSkillsDto } from './skill.dto';
import { UserSkillsService } from './user-skills.service';

@ApiTags('Skills')
@MinimumRole('supervisor')
@Controller('api/v1/users/:id/skills')
export class UserSkillsController {
  constructor(private readonly skills: UserSkillsService) {}

  @Put()
  @ApiOperation({ summary: "Replace a user's skills; the response lists them by name" })
  @ApiData(UserSkillDto, { list: true })
  replace(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() { skills }: ReplaceUserSkillsDto,
  ): Promise<UserSkillDto[]> {
    return this.skills.replace(user.tenant_id, id, skills);
  }
}
