import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../platform/http/openapi/openapi.decorators';
import type { Principal } from '../platform/access/principal';
import { PersonalDataRequestsService } from './personal-data-requests.service';
import { CustomerExportDto, ErasureReceiptDto } from './personal-data-request.dto';

/** Access and erasure requests of data subjects (LGPD, article 18; GDPR, articles 15 and 17). */
@ApiTags('Customers')
@Controller('api/v1/customers')
export class PersonalDataRequestsController {
  constructor(private readonly requests: PersonalDataRequestsService) {}

  @Get(':id/export')
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Export all personal data of a customer' })
  @ApiData(CustomerExportDto)
  export(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Req() { method }: Request,
  ): Promise<CustomerExportDto> {
    return this.requests.export(user, id, method !== 'HEAD');
  }

  @Post(':id/erase')
  @HttpCode(200)
  @MinimumRole('manager')
  @ApiOperation({ summary: 'Erase all personal data of a customer permanently; calls keep their statistics' })
  @ApiData(ErasureReceiptDto)
  @ApiFailure(
    422,
    'The customer has a call that has not ended, or is under a legal hold (`legal_hold`)',
    'customer_in_use',
    'The customer has a call that has not ended.',
  )
  erase(@CurrentUser() user: Principal, @IdParam() id: string): Promise<ErasureReceiptDto> {
    return this.requests.erase(user, id);
  }
}
