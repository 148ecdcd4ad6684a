import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ClusterGauges } from '../../platform/metrics/cluster-gauges';
import { DeadlineSweeper } from './deadline-sweeper';

/** The metric vcq_deadline_lag_seconds, over the tables of all sweepers. */
@Injectable()
export class DeadlineMetric implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly gauges: ClusterGauges,
  ) {}

  onModuleInit(): void {
    const sweepers = this.discovery
      .getProviders()
      .map(({ instance }) => instance as unknown)
      .filter((instance) => instance instanceof DeadlineSweeper);
    if (sweepers.length === 0) return;
    const oldest = sweepers.map(({ earliestDeadlineSql }) => `(${earliestDeadlineSql})`);
    this.gauges.register({
      name: 'vcq_deadline_lag_seconds',
      help: 'How long the earliest deadline that has not been acted on is over; 0 if none is',
      sql: `SELECT extract(epoch FROM LEAST(${oldest.join(', ')})) AS value`,
      isAge: true,
      empty: 0,
    });
  }
}
