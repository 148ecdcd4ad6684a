import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole, ReservedConnection } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { invalidField } from '../../platform/http/errors/api-error';
import { IdParam } from '../../platform/http/input/id-params';
import { NoParameters } from '../../platform/http/lists/pagination';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { CallTransferDto, TransferCallDto, TransferDepartmentDto } from './transfer.dto';
import { TransferDepartments } from './transfer-departments';
import { TransferToDepartment } from './transfer-to-department';
import { TransferToUser } from './transfer-to-user';

@ApiTags('Calls')
@MinimumRole('attendant')
@Controller('api/v1/calls')
export class TransferController {
  constructor(
    private readonly departments: TransferToDepartment,
    private readonly users: TransferToUser,
    private readonly targets: TransferDepartments,
  ) {}

  @Get(':id/transfer/departments')
  @ApiOperation({
    summary: 'List the departments to which an active call can be transferred, for its agent and supervisors',
  })
  @ApiData(TransferDepartmentDto, { list: true })
  @ApiFailure(
    422,
    'The call is not active, or belongs to another agent',
    'invalid_transition',
    'The call belongs to another agent.',
  )
  listDepartments(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() _query: NoParameters,
  ): Promise<TransferDepartmentDto[]> {
    return this.targets.of(user, id);
  }

  @ReservedConnection()
  @Post(':id/transfer')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Transfer an active call to the queue of another department, or offer it to another agent',
  })
  @ApiData(CallTransferDto)
  @ApiFailure(
    422,
    'Not exactly one target, an unknown one, or one that cannot take the call (same_department, department_inactive, ' +
      'department_closed, queue_full, same_agent, agent_not_available, transfer_pending); or a call that is not active, or belongs to ' +
      'another agent',
    'queue_full',
    'The queue of the department is full.',
  )
  async transfer(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() { department_id, user_id, note = null }: TransferCallDto,
  ): Promise<CallTransferDto> {
    if (department_id && user_id) throw invalidField('user_id', 'cannot be combined with department_id');
    if (user_id) {
      const { call, offer } = await this.users.offer(user, id, user_id, note);
      const expires_at = offer.expires_at.toISOString();
      return { ...fieldsOf(call), offer: { id: offer.id, user_id: offer.user_id, expires_at } };
    }
    if (!department_id) throw invalidField('department_id', 'is required without user_id');
    return { ...fieldsOf(await this.departments.transfer(user, id, department_id, note)), offer: null };
  }
}

const fieldsOf = ({ id, status, department_id, user_id }: Omit<CallTransferDto, 'offer'>) => ({
  id,
  status,
  department_id,
  user_id,
});
