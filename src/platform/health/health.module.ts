import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller';
import { Lifecycle } from './lifecycle';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { OutboundMetric } from './outbound-metric';
import { Readiness } from './readiness';
import { RedisMetric } from './redis-metric';
import { RetentionMetric } from './retention-metric';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Lifecycle, Metrics, OutboundMetric, Readiness, RedisMetric, RetentionMetric],
  exports: [Lifecycle, Metrics],
})
export class HealthModule {}
