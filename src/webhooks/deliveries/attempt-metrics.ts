import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/health/metrics';
import type { Outcome } from '../../platform/outbound/outbound-http';
import { isSuccess } from './delivery.rules';

/** Counts attempts by their result, for /metrics. */
@Injectable()
export class AttemptMetrics {
  private readonly attempts: Counter<'result'>;

  constructor(metrics: Metrics) {
    this.attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver to webhooks: taken (2xx), refused (any other response) or unanswered',
      labelNames: ['result'],
      registers: [metrics.registry],
    });
  }

  count(outcome: Outcome): void {
    const failure = outcome.response_status === null ? 'unanswered' : 'refused';
    this.attempts.inc({ result: isSuccess(outcome) ? 'taken' : failure });
  }
}
