import { DataWithMeta } from '../platform/http/data-with-meta';
import type { ReportMeta } from './report.dto';
import type { ReportParameters } from './report-parameters-reader';

/** A report with the parameters that it was made with. */
export class Report<Data> extends DataWithMeta<Data, ReportMeta> {}

export function reportMeta({ period, threshold, refreshed_at }: ReportParameters): ReportMeta {
  return {
    from: period.from.toISOString(),
    until: period.until.toISOString(),
    timezone: period.timezone,
    service_level_seconds: threshold,
    refreshed_at,
  };
}
