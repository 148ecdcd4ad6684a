import { Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import {
  AppointmentDto,
  AppointmentListQuery,
  ConflictsQuery,
  CreateAppointmentDto,
  UpdateAppointmentDto,
} from './appointment.dto';
import { AppointmentList } from './appointment-list';
import type { AppointmentStatus } from './appointment.machine';
import { AppointmentsService } from './appointments.service';

const CONFLICT = 'The agent has another appointment at that time.';

@ApiTags('Appointments')
@MinimumRole('attendant')
@Controller('api/v1/appointments')
export class AppointmentsController {
  constructor(
    private readonly appointments: AppointmentsService,
    private readonly list: AppointmentList,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List appointments' })
  @ApiPage(AppointmentDto)
  page(@CurrentUser() user: Principal, @Query() query: AppointmentListQuery): Promise<Page<AppointmentDto>> {
    return this.list.page(user, query);
  }

  @Get('conflicts')
  @ApiOperation({ summary: 'List the live appointments of an agent that overlap a time' })
  @ApiData(AppointmentDto, { list: true })
  conflicts(@CurrentUser() user: Principal, @Query() query: ConflictsQuery): Promise<AppointmentDto[]> {
    return this.list.conflicts(user, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create an appointment' })
  @ApiResourceBody('appointment', CreateAppointmentDto)
  @ApiData(AppointmentDto, { status: 201 })
  @ApiFailure(422, 'Invalid fields, or the agent is not free', 'appointment_conflict', CONFLICT)
  create(
    @CurrentUser() user: Principal,
    @ResourceBody('appointment') input: CreateAppointmentDto,
  ): Promise<AppointmentDto> {
    return this.appointments.create(user, input);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get an appointment' })
  @ApiData(AppointmentDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.list.get(user, id);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Update an appointment that is scheduled or confirmed; an invited customer is notified',
  })
  @ApiResourceBody('appointment', UpdateAppointmentDto)
  @ApiData(AppointmentDto)
  @ApiFailure(
    422,
    'Invalid fields, the agent is not free, or the status is final',
    'appointment_conflict',
    CONFLICT,
  )
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('appointment') input: UpdateAppointmentDto,
  ): Promise<AppointmentDto> {
    return this.appointments.update(user, id, input);
  }

  @Post(':id/confirm')
  @HttpCode(200)
  @ApiOperation({ summary: 'Confirm an appointment; creates its link and invites the customer by e-mail' })
  @ApiData(AppointmentDto)
  @ApiFailure(
    422,
    'The appointment is no longer scheduled, or has no active department',
    'invalid_transition',
    'An appointment that is cancelled cannot change to confirmed.',
  )
  confirm(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.transition(user, id, 'confirm');
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel an appointment and its link; an invited customer is notified' })
  @ApiData(AppointmentDto)
  @ApiFinalStatusFailure('cancelled')
  cancel(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.transition(user, id, 'cancel');
  }

  @Post(':id/complete')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark an appointment as completed' })
  @ApiData(AppointmentDto)
  @ApiFinalStatusFailure('completed')
  complete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.transition(user, id, 'complete');
  }

  @Post(':id/no-show')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark the customer as a no-show' })
  @ApiData(AppointmentDto)
  @ApiFinalStatusFailure('no_show')
  noShow(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.transition(user, id, 'no_show');
  }
}

function ApiFinalStatusFailure(target: AppointmentStatus): MethodDecorator {
  return ApiFailure(
    422,
    'The appointment has another final status',
    'invalid_transition',
    `An appointment that is ${target === 'cancelled' ? 'completed' : 'cancelled'} cannot change to ${target}.`,
  );
}
