import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { CallRoutingDto } from './call-routing.dto';
import { ExplainRouting } from './explain-routing';

@ApiTags('Calls')
@MinimumRole('supervisor')
@Controller('api/v1/calls')
export class CallRoutingController {
  constructor(private readonly explanation: ExplainRouting) {}

  @Get(':id/routing')
  @ApiOperation({ summary: 'Why a waiting call is not offered to an agent' })
  @ApiData(CallRoutingDto)
  explain(@CurrentUser() user: Principal, @IdParam() id: string): Promise<CallRoutingDto> {
    return this.explanation.explain(user, id);
  }
}
