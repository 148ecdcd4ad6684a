import { Injectable } from '@nestjs/common';
import { ClusterGauges } from '../../platform/metrics/cluster-gauges';

/** Counting more of them would take the database longer than the number is worth. */
const MAX_COUNTED = 20_000;

/** The metric vcq_webhook_deliveries_pending. */
@Injectable()
export class PendingDeliveriesMetric {
  constructor(gauges: ClusterGauges) {
    gauges.register({
      name: 'vcq_webhook_deliveries_pending',
      help: `Webhook deliveries that wait for their first or another attempt, at most ${MAX_COUNTED}`,
      // Events count as the deliveries that are still to be made of them.
      sql: `SELECT LEAST(${MAX_COUNTED}, (SELECT count(*) FROM (
                SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT ${MAX_COUNTED}) AS pending)
              + (SELECT COALESCE(sum(cardinality(webhook_ids)), 0) FROM (
                SELECT webhook_ids FROM webhook_events WHERE error IS NULL LIMIT ${MAX_COUNTED}) AS stored)) AS value`,
    });
  }
}
