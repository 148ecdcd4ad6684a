import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/http/access.decorators';
import { ApiData } from '../platform/http/open-api.decorators';
import type { Principal } from '../platform/http/principal';
import { PlanDto } from './plan.dto';
import { PlanView } from './plan-view';

@ApiTags('Billing')
@Controller('api/v1/billing')
export class PlanController {
  constructor(private readonly view: PlanView) {}

  @Get('plan')
  @MinimumRole('manager')
  @ApiOperation({ summary: 'The plan, its limits and what is used of them' })
  @ApiData(PlanDto)
  plan(@CurrentUser() user: Principal): Promise<PlanDto> {
    return this.view.of(user.tenant_id);
  }
}
