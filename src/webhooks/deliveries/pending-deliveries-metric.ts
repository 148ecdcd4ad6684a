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
      sql: `SELECT count(*) AS value FROM (
              SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT ${MAX_COUNTED}) AS pending`,
    });
  }
}
