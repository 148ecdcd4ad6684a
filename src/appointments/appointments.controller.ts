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
    return this.list.page(user.tenant_id, query);
  }

  @Get('conflicts')
  @ApiOperation({ summary: 'List the live appointments of an agent at a time' })
  @ApiData(AppointmentDto, { list: true })
  conflicts(@CurrentUser() user: Principal, @Query() query: ConflictsQuery): Promise<AppointmentDto[]> {
    return this.list.conflicts(user.tenant_id, query);
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
    return this.list.get(user.tenant_id, id);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Update an appointment that is scheduled or confirmed; an invited customer is told of it',
  })
  @ApiResourceBody('appointment', UpdateAppointmentDto)
  @ApiData(AppointmentDto)
  @ApiFailure(
    422,
    'Invalid fields, the agent is not free, or the appointment is over',
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
  @ApiOperation({ summary: "Confirm an appointment: makes its customer's link, and invites them by e-mail" })
  @ApiData(AppointmentDto)
  @ApiFailure(
    422,
    'The appointment is not scheduled any more, or has no department that takes calls',
    'invalid_transition',
    'An appointment that is cancelled cannot take the step confirm.',
  )
  confirm(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.step(user, id, 'confirm');
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel an appointment and its link; an invited customer is told of it' })
  @ApiData(AppointmentDto)
  @IsOver('cancel')
  cancel(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.step(user, id, 'cancel');
  }

  @Post(':id/complete')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark an appointment completed' })
  @ApiData(AppointmentDto)
  @IsOver('complete')
  complete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.step(user, id, 'complete');
  }

  @Post(':id/no-show')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark that the customer did not come' })
  @ApiData(AppointmentDto)
  @IsOver('no_show')
  noShow(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AppointmentDto> {
    return this.appointments.step(user, id, 'no_show');
  }
}

function IsOver(step: string): MethodDecorator {
  return ApiFailure(
    422,
    'The appointment is over',
    'invalid_transition',
    `An appointment that is completed cannot take the step ${step}.`,
  );
}
