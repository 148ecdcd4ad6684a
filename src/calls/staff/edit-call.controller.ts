import { Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiResourceBody, ResourceBody } from '../../platform/http/input/resource-body';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { CallDetailsDto } from '../call-details.dto';
import { UpdateCallDto } from './call-actions.dto';
import { EditCall } from './edit-call';

@ApiTags('Calls')
@MinimumRole('attendant')
@Controller('api/v1/calls')
export class EditCallController {
  constructor(private readonly calls: EditCall) {}

  @Put(':id')
  @ApiOperation({
    summary: "Change the notes of one's own call; supervisors also the priority and skills of a waiting one",
  })
  @ApiResourceBody('call', UpdateCallDto)
  @ApiData(CallDetailsDto)
  @ApiFailure(
    403,
    'The call of another agent, or more than notes by an attendant',
    'not_your_call',
    'The call belongs to another agent.',
  )
  @ApiFailure(
    422,
    'Invalid fields, an unknown skill, or a status that does not allow the change',
    'invalid_transition',
    'The priority and the skills of a call that is active cannot be changed.',
  )
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('call') input: UpdateCallDto,
  ): Promise<CallDetailsDto> {
    return this.calls.edit(user, id, input);
  }
}
