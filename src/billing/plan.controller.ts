import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { ApiData } from '../platform/http/openapi/openapi.decorators';
import type { Principal } from '../platform/access/principal';
import { PlanDto } from './plan.dto';
import { PlanView } from './plan-view';

@ApiTags('Billing')
@Controller('api/v1/billing')
export class PlanController {
  constructor(private readonly view: PlanView) {}

  @Get('plan')
  @MinimumRole('manager')
  @ApiOperation({ summary: 'Get the plan, its limits and the usage' })
  @ApiData(PlanDto)
  plan(@CurrentUser() user: Principal): Promise<PlanDto> {
    return this.view.read(user.tenant_id);
  }
}
