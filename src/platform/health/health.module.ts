import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller';
import { Lifecycle } from './lifecycle';
import { MetricsController } from './metrics.controller';
import { ProcessMetrics } from './process-metrics';
import { Readiness } from './readiness';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Lifecycle, ProcessMetrics, Readiness],
  exports: [Lifecycle],
})
export class HealthModule {}
