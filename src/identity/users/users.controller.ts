import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../../platform/http/openapi/openapi.decorators';
import type { Page } from '../../platform/database/page';
import type { Principal } from '../../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../../platform/http/input/resource-body';
import { AllowedWhileEnrolling, CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { CurrentUserDto } from './current-user.dto';
import {
  CreateUserDto,
  UpdateCurrentUserDto,
  UpdateUserDto,
  UserBatchDto,
  UserDto,
  UserListQuery,
} from './user.dto';
import { InviteUsers } from './invite-users';
import { UserList } from './user-list';
import { UsersService } from './users.service';

@ApiTags('Users')
@Controller('api/v1/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly inviteUsers: InviteUsers,
    private readonly list: UserList,
  ) {}

  @Get('me')
  @MinimumRole('attendant')
  @AllowedWhileEnrolling()
  @ApiOperation({ summary: 'Get the authenticated user' })
  @ApiData(CurrentUserDto)
  @ApiFailure(404, 'The tenant of the user was erased a few seconds ago', 'not_found', 'User not found.')
  me(@CurrentUser() user: Principal): Promise<CurrentUserDto> {
    return this.list.me(user);
  }

  @Put('me')
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'Change your own name, phone or password' })
  @ApiResourceBody('user', UpdateCurrentUserDto)
  @ApiData(CurrentUserDto)
  @ApiFailure(
    422,
    'A field is not valid; `current_password` is missing or wrong',
    'validation_failed',
    'Some fields are not valid.',
  )
  async updateMe(
    @CurrentUser() user: Principal,
    @ResourceBody('user') input: UpdateCurrentUserDto,
  ): Promise<CurrentUserDto> {
    await this.users.updateOwn(user, input);
    return this.list.me(user);
  }

  @Get()
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'List users' })
  @ApiPage(UserDto)
  page(@CurrentUser() user: Principal, @Query() query: UserListQuery): Promise<Page<UserDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Get(':id')
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Get a user' })
  @ApiData(UserDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<UserDto> {
    return this.list.get(user.tenant_id, id);
  }

  @Post()
  @MinimumRole('manager')
  @ApiOperation({ summary: 'Create a user' })
  @ApiResourceBody('user', CreateUserDto)
  @ApiData(UserDto, { status: 201 })
  create(@CurrentUser() user: Principal, @ResourceBody('user') input: CreateUserDto): Promise<UserDto> {
    return this.users.create(user, input);
  }

  @Post('batch')
  @MinimumRole('manager')
  @ApiOperation({ summary: 'Invite up to 100 users: all or none' })
  @ApiData(UserDto, { status: 201, list: true })
  inviteAll(@CurrentUser() user: Principal, @Body() { users }: UserBatchDto): Promise<UserDto[]> {
    return this.inviteUsers.invite(user, users);
  }

  @Put(':id')
  @MinimumRole('manager')
  @ApiOperation({ summary: 'Update a user' })
  @ApiResourceBody('user', UpdateUserDto)
  @ApiData(UserDto)
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('user') input: UpdateUserDto,
  ): Promise<UserDto> {
    return this.users.update(user, id, input);
  }
}
