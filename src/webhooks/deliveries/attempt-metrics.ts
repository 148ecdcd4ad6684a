import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics';
import type { AttemptResult } from './attempt-result';
import { isSuccess } from './delivery.rules';

const RESULTS = ['taken', 'refused', 'unanswered'];

/** Counts attempts by their result, for /metrics. */
@Injectable()
export class AttemptMetrics {
  private readonly attempts: Counter<'result'>;

  constructor(metrics: Metrics) {
    this.attempts = new Counter({
      name: 'vcq_webhook_attempts_total',
      help: 'Webhook delivery attempts by result: taken (2xx), refused (any other response), unanswered',
      labelNames: ['result'],
      registers: [metrics.registry],
    });
    for (const result of RESULTS) this.attempts.inc({ result }, 0);
  }

  count(outcome: AttemptResult): void {
    const refused = outcome.response_status === null ? 'unanswered' : 'refused';
    this.attempts.inc({ result: isSuccess(outcome) ? 'taken' : refused });
  }
}
