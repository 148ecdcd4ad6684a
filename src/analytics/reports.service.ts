import { Injectable } from '@nestjs/common';
import { ConnectionLimiter } from '../platform/database/connection-limiter';
import { Database } from '../platform/database/database';
import type { Statement } from '../platform/database/statement';
import type {
  AgentReportDto,
  AnalyticsQuery,
  HourReportDto,
  ReportMeta,
  TrendReportDto,
  TrendsQuery,
} from './analytics.dto';
import { agentFigures, type AgentRow, agentsStatement } from './agent-report';
import { fromCalls, fromViews, type SumsSource } from './call-sums';
import { type CallSums, figuresOf, NO_CALLS, quotient } from './figures';
import { type Interval, startsOf, weekHoursOf } from './period';
import { Report } from './report';
import { type ReportTerms, ReportTermsReader } from './report-terms';

type HourSums = CallSums & { weekday: number; hour: number };
type PeriodSums = CallSums & { period: string };

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** How calls spread over the week, over time and over the agents. Groups without a call are there, with zeros. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly share: ConnectionLimiter,
    private readonly terms: ReportTermsReader,
  ) {}

  /** The 168 hours of a week, from Monday 0:00. @throws 400 */
  async hourly(tenantId: string, query: AnalyticsQuery): Promise<Report<HourReportDto[]>> {
    const terms = await this.terms.read(tenantId, query);
    const rows = await this.sums<HourSums>(
      terms,
      'extract(isodow FROM c.day)::int AS weekday, c.hour',
      '1, 2',
    );
    const known = new Map(rows.map((row) => [row.weekday * 24 + row.hour, row]));
    const times = weekHoursOf(terms.period, terms.now);
    const data = WEEKDAYS.flatMap((weekday) =>
      HOURS.map((hour) => {
        const sums = known.get(weekday * 24 + hour) ?? NO_CALLS;
        const average_calls = quotient(sums.total_calls, times(weekday, hour), 2);
        return { weekday, hour, average_calls, ...figuresOf(sums) };
      }),
    );
    return new Report(data, metaOf(terms));
  }

  /** Every day, week or month of the period, oldest first. @throws 400 */
  async trends(tenantId: string, query: TrendsQuery): Promise<Report<TrendReportDto[]>> {
    const terms = await this.terms.read(tenantId, query);
    const rows = await this.sums<PeriodSums>(terms, `${PERIOD_STARTS[query.interval]}::text AS period`, '1');
    const known = new Map(rows.map((row) => [row.period, row]));
    const data = startsOf(terms.period, query.interval).map((period) => ({
      period,
      ...figuresOf(known.get(period) ?? NO_CALLS),
    }));
    return new Report(data, metaOf(terms));
  }

  /** Every active user, and who else had to do with the calls, by name. @throws 400 */
  async agents(tenantId: string, query: AnalyticsQuery): Promise<Report<AgentReportDto[]>> {
    const terms = await this.terms.read(tenantId, query);
    const rows = await this.read<AgentRow>(tenantId, agentsStatement(terms, sourceOf(terms, 'agent')));
    return new Report(rows.map(agentFigures), metaOf(terms));
  }

  private async sums<Row extends CallSums>(terms: ReportTerms, group: string, by: string): Promise<Row[]> {
    const { from, sums, values } = sourceOf(terms);
    const text = `SELECT ${group}, ${sums} FROM ${from} GROUP BY ${by}`;
    return this.read<Row>(terms.scope.tenant_id, { text, values });
  }

  private async read<Row extends object>(tenantId: string, statement: Statement): Promise<Row[]> {
    const [rows] = await this.share.run(() => this.database.readTenant<[Row]>(tenantId, [statement]));
    return rows;
  }
}

const PERIOD_STARTS: Record<Interval, string> = {
  day: 'c.day',
  week: `date_trunc('week', c.day)::date`,
  month: `date_trunc('month', c.day)::date`,
};

function sourceOf({ scope, period, threshold, refreshed_at }: ReportTerms, by?: 'agent'): SumsSource {
  return refreshed_at === null ? fromCalls(scope, period, threshold) : fromViews(scope, period, by);
}

export function metaOf({ period, threshold, refreshed_at }: ReportTerms): ReportMeta {
  return {
    from: period.from.toISOString(),
    until: period.until.toISOString(),
    timezone: period.timezone,
    service_level_seconds: threshold,
    refreshed_at,
  };
}
