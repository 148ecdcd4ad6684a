import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { notFound } from '../platform/http/errors/api-error';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { IdParam } from '../platform/http/input/id-params';
import { Public } from '../platform/access/access.decorators';
import { hashOfFile, sendPicture } from './pictures/send-picture';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { TenantLogosService } from './tenant-logos.service';

/** Serves uploaded logos to customer pages and mails. */
@ApiTags('Tenant')
@Public()
@RateLimit('asset')
@Controller('api/v1/logos')
export class LogosController {
  constructor(private readonly logos: TenantLogosService) {}

  @Get(':tenant_id/:file')
  @Unwrapped()
  @ApiOperation({ summary: 'Get an uploaded logo, as linked by logo_url' })
  @ApiOkResponse({ content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } })
  @ApiResponse({ status: 304, description: 'The version in If-None-Match is current' })
  async logo(
    @IdParam('tenant_id') tenantId: string,
    @Param('file') file: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const hash = hashOfFile(file);
    if (!hash) throw notFound('Logo');
    sendPicture(response, await this.logos.find(tenantId, hash), hash, ifNoneMatch);
  }
}
