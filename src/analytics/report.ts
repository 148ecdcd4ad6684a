import { Enveloped } from '../platform/http/enveloped';
import type { ReportMeta } from './analytics.dto';

/** A report with what it is about. */
export class Report<Data> extends Enveloped<Data, ReportMeta> {}
