import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { ProcessMetrics } from './process-metrics';
import { Readiness } from './readiness';

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [ProcessMetrics, Readiness],
})
export class HealthModule {}
