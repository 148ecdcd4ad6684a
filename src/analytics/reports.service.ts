import { Injectable } from '@nestjs/common';
import { LargeReads } from '../platform/database/connections/large-reads';
import { Database } from '../platform/database/database';
import type { Statement } from '../platform/database/statement';
import type { AnalyticsQuery, TrendsQuery } from './analytics-query.dto';
import type { HourReportDto, TrendReportDto } from './report.dto';
import type { AgentReportDto } from './agents/agent-report.dto';
import { agentReport, type AgentRow, agentReportStatement } from './agents/agent-report';
import { fromCalls, fromViews, type SumsSource } from './call-sums';
import { type CallSums, callFigures, NO_CALLS, quotient } from './figures';
import { type Interval, intervalStarts, countWeekHours } from './period';
import { Report, reportMeta } from './report';
import { type ReportParameters, ReportParametersReader } from './report-parameters-reader';

type HourSums = CallSums & { weekday: number; hour: number };
type PeriodSums = CallSums & { period: string };

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** Call figures by hour of the week, by interval and by agent. Groups without a call have zeros. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly largeReads: LargeReads,
    private readonly parameters: ReportParametersReader,
  ) {}

  /** The 168 hours of a week, from Monday 0:00. @throws 400 for parameters that are not valid */
  async hourly(tenantId: string, query: AnalyticsQuery): Promise<Report<HourReportDto[]>> {
    const parameters = await this.parameters.read(tenantId, query);
    const rows = await this.sums<HourSums>(
      parameters,
      'extract(isodow FROM c.day)::int AS weekday, c.hour',
      '1, 2',
    );
    const sumsByGroup = new Map(rows.map((row) => [row.weekday * 24 + row.hour, row]));
    const occurrences = countWeekHours(parameters.period, parameters.now);
    const data = WEEKDAYS.flatMap((weekday) =>
      HOURS.map((hour) => {
        const sums = sumsByGroup.get(weekday * 24 + hour) ?? NO_CALLS;
        const average_calls = quotient(sums.total_calls, occurrences(weekday, hour), 2);
        return { weekday, hour, average_calls, ...callFigures(sums) };
      }),
    );
    return new Report(data, reportMeta(parameters));
  }

  /** Every day, week or month of the period, oldest first. @throws 400 for parameters that are not valid */
  async trends(tenantId: string, query: TrendsQuery): Promise<Report<TrendReportDto[]>> {
    const { interval = 'day' } = query;
    const parameters = await this.parameters.read(tenantId, query);
    const rows = await this.sums<PeriodSums>(parameters, `${PERIOD_STARTS[interval]}::text AS period`, '1');
    const sumsByGroup = new Map(rows.map((row) => [row.period, row]));
    const data = intervalStarts(parameters.period, interval).map((period) => ({
      period,
      ...callFigures(sumsByGroup.get(period) ?? NO_CALLS),
    }));
    return new Report(data, reportMeta(parameters));
  }

  /**
   * Active users, and former ones with calls or presence in the period, by name.
   * @throws 400 for parameters that are not valid
   */
  async agents(tenantId: string, query: AnalyticsQuery): Promise<Report<AgentReportDto[]>> {
    const parameters = await this.parameters.read(tenantId, query);
    const rows = await this.read<AgentRow>(
      tenantId,
      agentReportStatement(parameters, sourceOf(parameters, 'agent')),
    );
    return new Report(rows.map(agentReport), reportMeta(parameters));
  }

  private async sums<Row extends CallSums>(
    parameters: ReportParameters,
    group: string,
    by: string,
  ): Promise<Row[]> {
    const { from, sums, values } = sourceOf(parameters);
    const text = `SELECT ${group}, ${sums} FROM ${from} GROUP BY ${by}`;
    return this.read<Row>(parameters.scope.tenant_id, { text, values });
  }

  /** @param statement is planned for its values: the best plan depends on the period. */
  private async read<Row extends object>(tenantId: string, statement: Statement): Promise<Row[]> {
    const [rows] = await this.largeReads.read(tenantId, () =>
      this.database.readTenant<[Row]>(tenantId, [{ ...statement, isDynamic: true }]),
    );
    return rows;
  }
}

const PERIOD_STARTS: Record<Interval, string> = {
  day: 'c.day',
  week: `date_trunc('week', c.day)::date`,
  month: `date_trunc('month', c.day)::date`,
};

function sourceOf({ scope, period, threshold, refreshed_at }: ReportParameters, by?: 'agent'): SumsSource {
  return refreshed_at === null ? fromCalls(scope, period, threshold) : fromViews(scope, period, by);
}
