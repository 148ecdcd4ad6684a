import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { ErasureDto } from './erasure.dto';
import { ErasureReader } from './erasure-reader';

@ApiTags('Customers')
@Controller('api/v1/erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasureReader) {}

  @Get(':id')
  @MinimumRole('manager')
  @ApiOperation({ summary: "Get the state and the receipt of a customer's erasure" })
  @ApiData(ErasureDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<ErasureDto> {
    return this.erasures.get(user.tenant_id, id);
  }
}
