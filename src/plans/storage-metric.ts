import { Injectable } from '@nestjs/common';
import { ClusterGauges } from '../platform/metrics/cluster-gauges';

/** The metric vcq_storage_bytes. */
@Injectable()
export class StorageMetric {
  constructor(gauges: ClusterGauges) {
    gauges.register({
      name: 'vcq_storage_bytes',
      help: 'Bytes of the recordings and files of all companies',
      sql: 'SELECT sum(recording_bytes + file_bytes) AS value FROM storage_usage',
      empty: 0,
    });
  }
}
