import { Injectable } from '@nestjs/common';
import { ClusterGauges } from '../platform/metrics/cluster-gauges';

/** The metric vcq_report_views_age_seconds. */
@Injectable()
export class ReportViewsMetric {
  constructor(gauges: ClusterGauges) {
    gauges.register({
      name: 'vcq_report_views_age_seconds',
      help: 'Time since the last refresh of the views that reports are read from; absent before the first one',
      sql: 'SELECT extract(epoch FROM max(refreshed_at)) AS value FROM view_refreshes',
      isAge: true,
    });
  }
}
