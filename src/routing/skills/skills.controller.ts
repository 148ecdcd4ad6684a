import { Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import type { Page } from '../../platform/database/page';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiResourceBody, ResourceBody } from '../../platform/http/input/resource-body';
import { ApiData, ApiFailure, ApiPage } from '../../platform/http/openapi/openapi.decorators';
import { DeleteSkill } from './delete-skill';
import { CreateSkillDto, SkillDto, SkillListQuery, UpdateSkillDto } from './skill.dto';
import { SkillList } from './skill-list';
import { SkillsService } from './skills.service';

@ApiTags('Skills')
@Controller('api/v1/skills')
export class SkillsController {
  constructor(
    private readonly skills: SkillsService,
    private readonly deletion: DeleteSkill,
    private readonly list: SkillList,
  ) {}

  @Get()
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'List skills' })
  @ApiPage(SkillDto)
  page(@CurrentUser() user: Principal, @Query() query: SkillListQuery): Promise<Page<SkillDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Post()
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Create a skill; a company can have 200' })
  @ApiResourceBody('skill', CreateSkillDto)
  @ApiData(SkillDto, { status: 201 })
  @ApiFailure(
    422,
    'Some fields are not valid, another skill has the name, or the company has 200 skills',
    'too_many_skills',
    'A company can have 200 skills. Delete one first.',
  )
  create(@CurrentUser() user: Principal, @ResourceBody('skill') input: CreateSkillDto): Promise<SkillDto> {
    return this.skills.create(user.tenant_id, input);
  }

  @Get(':id')
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'Get a skill' })
  @ApiData(SkillDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<SkillDto> {
    return this.list.get(user.tenant_id, id);
  }

  @Put(':id')
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Update a skill' })
  @ApiResourceBody('skill', UpdateSkillDto)
  @ApiData(SkillDto)
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('skill') input: UpdateSkillDto,
  ): Promise<SkillDto> {
    return this.skills.update(user.tenant_id, id, input);
  }

  @Delete(':id')
  @MinimumRole('supervisor')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a skill; all users and all links that are no longer active lose it' })
  @ApiNoContentResponse()
  @ApiFailure(
    422,
    'An active link or a call that has not ended requires the skill; nothing was changed',
    'skill_in_use',
    'An active access link requires the skill. Cancel the link first.',
  )
  delete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.deletion.delete(user.tenant_id, id);
  }
}
