import { Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageDto } from '../../platform/http/message.dto';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../../platform/http/openapi/openapi.decorators';
import type { Page } from '../../platform/http/lists/pagination';
import type { Principal } from '../../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../../platform/http/input/resource-body';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { CreateUserDto, UpdateUserDto, UserDto, UserListQuery } from './user.dto';
import { Invitations } from '../password-reset/invitations';
import { UserList } from './user-list';
import { UsersService } from './users.service';
import { AllowedWhileEnrolling } from '../mfa/allowed-while-enrolling';

@ApiTags('Users')
@Controller('api/v1/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly list: UserList,
    private readonly invitations: Invitations,
  ) {}

  @Get('me')
  @MinimumRole('attendant')
  @AllowedWhileEnrolling()
  @ApiOperation({ summary: 'The authenticated user' })
  @ApiData(UserDto)
  me(@CurrentUser() user: Principal): Promise<UserDto> {
    return this.list.get(user.tenant_id, user.user_id);
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

  @Post(':id/invitation')
  @MinimumRole('manager')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mail the invitation to choose a password once more' })
  @ApiData(MessageDto)
  @ApiFailure(
    422,
    'The user is inactive or has a password (`not_invited`), or too many links are still valid (`too_many_links`)',
    'not_invited',
    'Only an active user who has no password yet can be invited.',
  )
  async invite(@CurrentUser() user: Principal, @IdParam() id: string): Promise<MessageDto> {
    await this.invitations.repeat(user, id);
    return { message: 'The invitation is on its way.' };
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
