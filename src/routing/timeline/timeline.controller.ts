import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { NoParameters } from '../../platform/http/lists/pagination';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { CallTimeline } from './call-timeline';
import { TimelineEntryDto } from './timeline.dto';

@ApiTags('Calls')
@MinimumRole('attendant')
@Controller('api/v1/calls')
export class TimelineController {
  constructor(private readonly timeline: CallTimeline) {}

  @Get(':id/timeline')
  @ApiOperation({
    summary:
      'What happened to a call, the oldest first: for supervisors and its agents; the first 500 and the last 500 entries, and the latest 1,000 reports of the quality',
  })
  @ApiData(TimelineEntryDto, { list: true })
  @ApiFailure(
    403,
    'The caller is neither a supervisor nor an agent of the call',
    'forbidden',
    'Only supervisors and the agents of a call can read its timeline.',
  )
  list(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() _query: NoParameters,
  ): Promise<TimelineEntryDto[]> {
    return this.timeline.of(user, id);
  }
}
