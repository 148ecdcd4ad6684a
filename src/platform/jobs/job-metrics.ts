import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../metrics/metrics';

/** However often and by however many Prometheus servers an instance is scraped. */
const MAX_AGE_MS = 5000;
/** A database that does not answer must not delay the other metrics: Prometheus waits for 10 s. */
const TIMEOUT_MS = 2500;

/** The jobs of all queues, and the failures of this instance's runs. */
@Injectable()
export class JobMetrics {
  private readonly failures: Counter<'queue'>;

  private readonly jobs: Gauge<'queue' | 'state'>;
  private countedAt = -Infinity;

  constructor(
    { registry }: Metrics,
    private readonly boss: PgBoss,
  ) {
    this.failures = new Counter({
      name: 'vcq_job_failures_total',
      help: 'Runs of jobs that failed, by queue, whether or not they are repeated',
      labelNames: ['queue'],
      registers: [registry],
    });
    this.jobs = new Gauge({
      name: 'vcq_jobs',
      help: 'Jobs by queue and state: waiting, delayed, active, failed; pg-boss counts them every 10 s',
      labelNames: ['queue', 'state'],
      aggregator: 'max',
      registers: [registry],
      collect: () => this.count(),
    });
  }

  /** Takes the counts of pg-boss: counting the jobs here would read all of them. */
  private async count(): Promise<void> {
    if (performance.now() - this.countedAt < MAX_AGE_MS) return;
    this.countedAt = performance.now();
    const tooLate = delay(TIMEOUT_MS, undefined, { ref: false });
    const queues = await Promise.race([this.boss.getQueues(), tooLate]).catch(() => undefined);
    // The database does not answer: there are no series rather than old values.
    this.jobs.reset();
    for (const { name, readyCount, deferredCount, activeCount, failedCount } of queues ?? []) {
      if (name.startsWith('__pgboss')) continue;
      const counts = {
        waiting: readyCount,
        delayed: deferredCount,
        active: activeCount,
        failed: failedCount,
      };
      for (const [state, value] of Object.entries(counts)) this.jobs.set({ queue: name, state }, value);
    }
  }

  /** Declares the queue, so that its first failure is an increase. */
  declare(queue: string): void {
    this.failures.inc({ queue }, 0);
  }

  countFailure(queue: string): void {
    this.failures.inc({ queue });
  }
}
