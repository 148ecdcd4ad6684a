import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import type { Principal } from '../../platform/access/principal';
import { ManagerNotes } from './manager-notes';
import { AddManagerNoteDto, ManagerNotesDto } from './manager-notes.dto';

@ApiTags('Calls')
@MinimumRole('supervisor')
@Controller('api/v1/calls')
export class ManagerNotesController {
  constructor(private readonly notes: ManagerNotes) {}

  @Post(':id/manager-notes')
  @HttpCode(200)
  @ApiOperation({ summary: 'Add a manager’s note to a completed call' })
  @ApiData(ManagerNotesDto)
  @ApiFailure(
    422,
    'The note is empty or too long, or the call is not completed',
    'not_completed',
    'Manager notes can be added only to a completed call.',
  )
  async add(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() input: AddManagerNoteDto,
  ): Promise<ManagerNotesDto> {
    return { id, manager_notes: await this.notes.add(user, id, input.notes) };
  }
}
