import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { ClusterGauges } from '../metrics/cluster-gauges';
import { Metrics } from '../metrics/metrics';

/** The jobs of all queues, and the failures of this instance's runs. */
@Injectable()
export class JobMetrics {
  private readonly failures: Counter<'queue'>;

  constructor({ registry }: Metrics, gauges: ClusterGauges) {
    this.failures = new Counter({
      name: 'vcq_job_failures_total',
      help: 'Runs of jobs that failed, by queue, whether or not they are repeated',
      labelNames: ['queue'],
      registers: [registry],
    });
    gauges.register({
      name: 'vcq_jobs',
      help: 'Jobs by queue and state: waiting, delayed, active, failed; pg-boss counts them every 10 s',
      // The counts of pg-boss: counting the jobs here would read all of them.
      sql: `SELECT ARRAY[q.name, s.state] AS labels, s.count AS value
            FROM pgboss.queue q CROSS JOIN LATERAL (VALUES ('waiting', q.ready_count),
              ('delayed', q.deferred_count), ('active', q.active_count), ('failed', q.failed_count)) AS s (state, count)
            WHERE q.name NOT LIKE '\\_\\_pgboss%'`,
      labels: ['queue', 'state'],
    });
  }

  /** Declares the queue, so that its first failure is an increase. */
  declare(queue: string): void {
    this.failures.inc({ queue }, 0);
  }

  countFailure(queue: string): void {
    this.failures.inc({ queue });
  }
}
