import { Global, Module } from '@nestjs/common';
import { ClusterGauges } from './cluster-gauges';
import { Metrics } from './metrics';

@Global()
@Module({
  providers: [ClusterGauges, Metrics],
  exports: [ClusterGauges, Metrics],
})
export class MetricsModule {}
