import { Global, type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DrainingMiddleware } from './draining.middleware';
import { HealthController } from './health.controller';
import { Lifecycle } from './lifecycle';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { RedisMetric } from './redis-metric';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Lifecycle, Metrics, Readiness, RedisMetric],
  exports: [Lifecycle, Metrics],
})
export class HealthModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(DrainingMiddleware)
      .forRoutes({ path: 'api/v1/call/:token/join', method: RequestMethod.POST });
  }
}
