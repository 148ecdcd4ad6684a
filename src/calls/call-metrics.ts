import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { OnCommit } from '../platform/events/listeners';
import { ClusterGauges } from '../platform/metrics/cluster-gauges';
import { Metrics } from '../platform/metrics/metrics';
import { CallAssigned, CallEnded, type CallEvent, CallQueued, CallStarted } from './call.events';
import { CALL_STATUSES } from './machine/call.machine';

/** The calls that wait or are in progress, and those whose changes this instance commits. */
@Injectable()
export class CallMetrics {
  private readonly calls: Counter<'status'>;
  private readonly estimateErrors: Histogram;

  constructor({ registry }: Metrics, gauges: ClusterGauges) {
    this.calls = new Counter({
      name: 'vcq_calls_total',
      help: 'Calls by the status they got: queued at the join, then assigned, active, and how they ended',
      labelNames: ['status'],
      registers: [registry],
    });
    for (const status of CALL_STATUSES) this.calls.inc({ status }, 0);
    this.estimateErrors = new Histogram({
      name: 'vcq_wait_estimate_error_seconds',
      help: 'Difference between the estimate at the join and the wait of answered calls',
      buckets: [5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600],
      registers: [registry],
    });
    gauges.register({
      name: 'vcq_waiting_calls',
      help: 'Calls that wait in all lines',
      sql: `SELECT count(*) AS value FROM calls WHERE status = 'queued'`,
    });
    gauges.register({
      name: 'vcq_oldest_wait_seconds',
      help: 'How long the longest waiting call has waited in its line, without those of callbacks; 0 if none waits',
      sql: `SELECT extract(epoch FROM min(waits_since)) AS value FROM line_entries
            WHERE overflowed_from IS NULL AND NOT awaits_callback`,
      isAge: true,
      empty: 0,
    });
    gauges.register({
      name: 'vcq_active_calls',
      help: 'Calls in progress',
      sql: `SELECT count(*) AS value FROM calls WHERE status IN ('assigned', 'active') AND status = 'active'`,
    });
  }

  @OnCommit(CallQueued)
  onQueued(event: CallQueued): void {
    this.count(event);
  }

  @OnCommit(CallAssigned)
  onAssigned(event: CallAssigned): void {
    this.count(event);
  }

  @OnCommit(CallStarted)
  onStarted(event: CallStarted): void {
    this.count(event);
    if (event.estimateError !== null) this.estimateErrors.observe(event.estimateError);
  }

  @OnCommit(CallEnded)
  onEnded(event: CallEnded): void {
    this.count(event);
  }

  private count({ status }: CallEvent): void {
    this.calls.inc({ status });
  }
}
