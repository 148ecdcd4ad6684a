import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { NoParameters } from '../../platform/http/lists/pagination';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { CallPartDto } from './call-part.dto';
import { CallParts } from './call-parts';

@ApiTags('Calls')
@MinimumRole('attendant')
@Controller('api/v1/calls')
export class CallPartsController {
  constructor(private readonly parts: CallParts) {}

  @Get(':id/parts')
  @ApiOperation({ summary: 'List the parts of a call: the agents who had it, the first one first' })
  @ApiData(CallPartDto, { list: true })
  list(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() _query: NoParameters,
  ): Promise<CallPartDto[]> {
    return this.parts.list(user, id);
  }
}
