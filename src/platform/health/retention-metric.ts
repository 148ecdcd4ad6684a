import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Retention } from '../jobs/retention';
import { Metrics } from '../metrics/metrics';

/** The metric vcq_retention_purged_rows_total. */
@Injectable()
export class RetentionMetric implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    const { retention } = this;
    const counter: Counter<'table'> = new Counter({
      name: 'vcq_retention_purged_rows_total',
      help: 'Rows purged because they were older than their retention, by table',
      labelNames: ['table'],
      registers: [this.metrics.registry],
      collect: () => {
        counter.reset();
        for (const [table, count] of retention.purgedCounts) counter.inc({ table }, count);
      },
    });
  }
}
