import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller';
import { Lifecycle } from './lifecycle';
import { MetricsController } from './metrics.controller';
import { OutboundMetric } from './outbound-metric';
import { ProcessMetrics } from './process-metrics';
import { Readiness } from './readiness';
import { RedisMetric } from './redis-metric';
import { RetentionMetric } from './retention-metric';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Lifecycle, OutboundMetric, ProcessMetrics, Readiness, RedisMetric, RetentionMetric],
  exports: [Lifecycle],
})
export class HealthModule {}
