import { Controller, Get, Headers, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config';
import { notFound, unauthenticated } from '../../platform/http/errors/api-error';
import { Unwrapped } from '../../platform/http/envelope.interceptor';
import { Public } from '../../platform/access/access.decorators';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { isSameSecret } from '../../platform/text/same-secret';
import { Metrics } from '../../platform/metrics/metrics';
import { isLocalRequest } from './local-request';

@ApiExcludeController()
@Public()
@RateLimit('none')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Serves clients that send METRICS_TOKEN; without METRICS_TOKEN, only programs on this machine. */
  @Get()
  @Unwrapped()
  async scrape(
    @Headers('authorization') authorization: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { metricsToken } = this.config;
    if (metricsToken === undefined && !isLocalRequest(request)) throw notFound('Route');
    if (metricsToken !== undefined && !isSameSecret(authorization ?? '', `Bearer ${metricsToken}`)) {
      throw unauthenticated('Send METRICS_TOKEN as a Bearer token.');
    }
    response.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
  }
}
