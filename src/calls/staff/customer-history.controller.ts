import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiPage } from '../../platform/http/openapi/openapi.decorators';
import type { Page } from '../../platform/database/page';
import type { Principal } from '../../platform/access/principal';
import { CallListItemDto, CallListQuery } from '../call-list.dto';
import { CallList } from './call-list';

@ApiTags('Customers')
@MinimumRole('attendant')
@Controller('api/v1/customers')
export class CustomerHistoryController {
  constructor(private readonly calls: CallList) {}

  @Get(':id/calls')
  @ApiOperation({ summary: "List a customer's calls" })
  @ApiPage(CallListItemDto)
  page(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() query: CallListQuery,
  ): Promise<Page<CallListItemDto>> {
    return this.calls.ofCustomer(user, id, query);
  }
}
