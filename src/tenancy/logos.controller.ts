import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { notFound } from '../platform/http/errors/api-error';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { IdParam } from '../platform/http/input/id-params';
import { Public } from '../platform/access/public.decorator';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { TenantLogos } from './tenant-logos';

const FILE = /^([0-9a-f]{64})\.png$/;

/** Logos as customers' pages and mails show them. */
@ApiTags('Tenant')
@Public()
@RateLimit('asset')
@Controller('api/v1/logos')
export class LogosController {
  constructor(private readonly logos: TenantLogos) {}

  @Get(':tenant_id/:file')
  @Unwrapped()
  @ApiOperation({ summary: 'An uploaded logo, as logo_url names it' })
  @ApiOkResponse({ content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } })
  @ApiResponse({ status: 304, description: 'What If-None-Match names is still right' })
  async logo(
    @IdParam('tenant_id') tenantId: string,
    @Param('file') file: string,
    @Headers('if-none-match') known: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const hash = FILE.exec(file)?.[1];
    if (!hash) throw notFound('Logo');
    const content = await this.logos.find(tenantId, hash);
    const etag = `"${hash}"`;
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: etag,
    });
    // RFC 9110, 13.1.2; Express would not where the client says no-cache, too, as fetch does.
    if (known === '*' || known?.includes(etag)) response.status(304).end();
    else response.type('png').send(content);
  }
}
