import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole, ReservedConnection } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../../platform/http/openapi/openapi.decorators';
import type { Page } from '../../platform/database/page';
import type { Principal } from '../../platform/access/principal';
import { StaffCallActions } from './staff-call-actions';
import { CallDetailsDto } from '../call-details.dto';
import { CallListItemDto, CallListQuery } from '../call-list.dto';
import {
  AssignCallDto,
  CallAssignmentDto,
  CallCompletionDto,
  CompleteCallDto,
  StartedDto,
} from './call-actions.dto';
import { CallList } from './call-list';

@ApiTags('Calls')
@MinimumRole('attendant')
@Controller('api/v1/calls')
export class CallsController {
  constructor(
    private readonly list: CallList,
    private readonly calls: StaffCallActions,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List calls' })
  @ApiPage(CallListItemDto)
  page(@CurrentUser() user: Principal, @Query() query: CallListQuery): Promise<Page<CallListItemDto>> {
    return this.list.page(user, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a call' })
  @ApiData(CallDetailsDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<CallDetailsDto> {
    return this.list.get(user, id);
  }

  @ReservedConnection()
  @Post(':id/assign')
  @HttpCode(200)
  @ApiOperation({ summary: 'Assign a call to an agent; of several concurrent requests one succeeds' })
  @ApiData(CallAssignmentDto)
  @ApiFailure(
    422,
    'The call cannot be assigned, or the agent is not an active user',
    'invalid_transition',
    'The call belongs to another agent.',
  )
  async assign(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() input: AssignCallDto,
  ): Promise<CallAssignmentDto> {
    const call = await this.calls.assign(user, id, input.user_id ?? null);
    return { id: call.id, status: call.status, user_id: call.user_id ?? '', user_name: call.user_name ?? '' };
  }

  @ReservedConnection()
  @Post(':id/start')
  @HttpCode(200)
  @ApiOperation({ summary: 'Start a call' })
  @ApiData(StartedDto)
  @ApiFailure(
    403,
    'The plan does not allow another concurrent call',
    'plan_limit',
    'The plan free allows 1 call at a time. The plan basic allows more.',
  )
  @ApiFailure(
    422,
    'The call is not waiting to be started by the caller',
    'invalid_transition',
    'A call that is completed does not allow start.',
  )
  async start(@CurrentUser() user: Principal, @IdParam() id: string): Promise<StartedDto> {
    const { status, started_at } = await this.calls.start(user, id);
    return { id, status, started_at: started_at?.toISOString() ?? '' };
  }

  @ReservedConnection()
  @Post(':id/complete')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Complete a call. Of one that is completed already, only the notes are stored',
  })
  @ApiData(CallCompletionDto)
  @ApiFailure(
    422,
    'The call has ended otherwise, or belongs to another agent',
    'invalid_transition',
    'A call that is missed does not allow complete.',
  )
  async complete(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() input: CompleteCallDto,
  ): Promise<CallCompletionDto> {
    const { status, completed_at } = await this.calls.complete(user, id, input.notes ?? null);
    return { id, status, completed_at: completed_at?.toISOString() ?? '' };
  }
}
