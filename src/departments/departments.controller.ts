import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { IdParam } from '../platform/http/input/id-params';
import { MessageDto } from '../platform/http/message.dto';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import { NoParameters } from '../platform/http/lists/pagination';
import {
  CreateDepartmentDto,
  DepartmentDto,
  DepartmentListQuery,
  UpdateDepartmentDto,
} from './department.dto';
import { DepartmentList } from './department-list';
import { DepartmentsService } from './departments.service';
import { DepartmentHours } from './hours/department-hours';
import { DepartmentHoursDto, HoursQuery } from './hours/department-hours.dto';
import { AddMemberDto, MemberDto } from './member.dto';

@ApiTags('Departments')
@MinimumRole('supervisor')
@Controller('api/v1/departments')
export class DepartmentsController {
  constructor(
    private readonly departments: DepartmentsService,
    private readonly list: DepartmentList,
    private readonly hours: DepartmentHours,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List departments' })
  @ApiPage(DepartmentDto)
  page(@CurrentUser() user: Principal, @Query() query: DepartmentListQuery): Promise<Page<DepartmentDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create a department' })
  @ApiResourceBody('department', CreateDepartmentDto)
  @ApiData(DepartmentDto, { status: 201 })
  create(
    @CurrentUser() user: Principal,
    @ResourceBody('department') input: CreateDepartmentDto,
  ): Promise<DepartmentDto> {
    return this.departments.create(user.tenant_id, input);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a department' })
  @ApiData(DepartmentDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<DepartmentDto> {
    return this.list.get(user.tenant_id, id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Update a department' })
  @ApiResourceBody('department', UpdateDepartmentDto)
  @ApiData(DepartmentDto)
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('department') input: UpdateDepartmentDto,
  ): Promise<DepartmentDto> {
    return this.departments.update(user.tenant_id, id, input);
  }

  @Get(':id/hours')
  @ApiOperation({ summary: 'Get the times at which a department is open' })
  @ApiData(DepartmentHoursDto)
  getHours(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() query: HoursQuery,
  ): Promise<DepartmentHoursDto> {
    return this.hours.between(user.tenant_id, id, query);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a department; its links and waiting calls are cancelled' })
  @ApiNoContentResponse()
  @ApiFailure(
    422,
    'The department has recordings, or a call that is assigned or active',
    'department_has_recordings',
    'The department has recordings.',
  )
  delete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.departments.delete(user.tenant_id, id);
  }

  @Get(':department_id/users')
  @ApiOperation({ summary: 'List the members of a department' })
  @ApiData(MemberDto, { list: true })
  members(
    @CurrentUser() user: Principal,
    @IdParam('department_id') id: string,
    @Query() _query: NoParameters,
  ): Promise<MemberDto[]> {
    return this.list.members(user.tenant_id, id);
  }

  @Post(':department_id/users')
  @ApiOperation({ summary: 'Add a member' })
  @ApiData(MessageDto, { status: 201 })
  async addMember(
    @CurrentUser() user: Principal,
    @IdParam('department_id') id: string,
    @Body() input: AddMemberDto,
  ): Promise<MessageDto> {
    await this.departments.addMember(user.tenant_id, id, input.user_id);
    return { message: 'The user is now a member of the department.' };
  }

  @Delete(':department_id/users/:user_id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a member' })
  @ApiNoContentResponse()
  removeMember(
    @CurrentUser() user: Principal,
    @IdParam('department_id') id: string,
    @IdParam('user_id') userId: string,
  ): Promise<void> {
    return this.departments.removeMember(user.tenant_id, id, userId);
  }
}
