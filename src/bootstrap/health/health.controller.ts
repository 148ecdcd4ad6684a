import { Controller, Get, HttpCode, ServiceUnavailableException } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { Public } from '../../platform/access/access.decorators';
import { ApiError } from '../../platform/http/errors/api-error';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { Readiness } from './readiness';

class HealthDto {
  @ApiProperty({ example: 'ok' })
  status: string;

  @ApiProperty({ example: { database: { status: 'up' } }, description: 'Status of each component' })
  details: object;
}

/** Liveness and readiness probes for orchestrators. */
@ApiTags('Operations')
@Public()
@RateLimit('none')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly readiness: Readiness,
  ) {}

  @Get('healthz')
  @HttpCode(200)
  @ApiOperation({ summary: 'Check that the process is alive' })
  @ApiData(HealthDto)
  healthz(): HealthDto {
    return { status: 'ok', details: {} };
  }

  @Get('readyz')
  @ApiOperation({ summary: 'Check that the service is ready: database and migrations' })
  @ApiData(HealthDto)
  @ApiFailure(503, 'Not ready', 'not_ready', 'Not ready: database.')
  async readyz(): Promise<HealthDto> {
    try {
      const { status, details } = await this.health.check(this.readiness.checks());
      return { status, details };
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const { details } = error.getResponse() as { details: Record<string, { status: string }> };
      const down = Object.keys(details).filter((component) => details[component]?.status !== 'up');
      throw new ApiError(503, 'not_ready', `Not ready: ${down.join(', ')}.`);
    }
  }
}
