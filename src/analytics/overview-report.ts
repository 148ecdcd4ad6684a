import { LargeReads } from '../platform/database/connections/large-reads';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { AnalyticsQuery } from './analytics-query.dto';
import type { OverviewDto } from './report.dto';
import { fromCalls } from './call-sums';
import { type CallSums, callFigures, NO_CALLS } from './figures';
import { previousPeriodStart } from './period';
import { Report, reportMeta } from './report';
import { type ReportParameters, ReportParametersReader } from './report-parameters-reader';
import { Statement } from '../platform/database/statement';

interface LiveFigures {
  online_agents: number;
  current_longest_wait: number | null;
}

/** Figures of the period alone. */
type PresentFigures = Pick<OverviewDto, 'callbacks' | 'overflowed'>;

type PeriodSums = CallSums & PresentFigures & { is_before: boolean };

const NO_FIGURES: PresentFigures = { callbacks: { requested: 0, returned: 0, expired: 0 }, overflowed: 0 };

/** Of the calls `c` of a group. */
const PRESENT_FIGURES = `jsonb_build_object('requested', count(c.callback_status),
  'returned', count(*) FILTER (WHERE c.callback_status = 'returned'),
  'expired', count(*) FILTER (WHERE c.callback_status = 'expired')) AS callbacks,
  count(c.overflowed_at)::int AS overflowed`;

/** The figures of a period and of the period before it, computed from the calls themselves, so always up to date. */
@Injectable()
export class OverviewReport {
  constructor(
    private readonly database: Database,
    private readonly largeReads: LargeReads,
    private readonly parameters: ReportParametersReader,
  ) {}

  /** @throws 400 for parameters that are not valid */
  async get(tenantId: string, query: AnalyticsQuery): Promise<Report<OverviewDto>> {
    const parameters = { ...(await this.parameters.read(tenantId, query)), refreshed_at: null };
    const statements = [sumsStatement(parameters), liveStatement(parameters)];
    const [sums, live] = await this.largeReads.read(tenantId, () =>
      this.database.readTenant<[PeriodSums, LiveFigures]>(tenantId, statements),
    );
    const figures = (isBefore: boolean) =>
      callFigures(sums.find(({ is_before }) => is_before === isBefore) ?? NO_CALLS);
    const [now = { online_agents: 0, current_longest_wait: null }] = live;
    const { callbacks, overflowed } = sums.find(({ is_before }) => !is_before) ?? NO_FIGURES;
    const overview = { ...figures(false), callbacks, overflowed, ...now, previous: figures(true) };
    return new Report(overview, reportMeta(parameters));
  }
}

/** Reads both periods in one index scan, since they are adjacent. The best plan depends on the periods. */
function sumsStatement({ scope, period, threshold }: ReportParameters): Statement {
  const both = { ...period, from: previousPeriodStart(period) };
  const source = fromCalls(scope, both, threshold);
  const values = [...source.values, period.from];
  const group = `c.inserted_at < $${values.length} AS is_before`;
  return {
    text: `SELECT ${group}, ${source.sums}, ${PRESENT_FIGURES} FROM ${source.from} GROUP BY 1`,
    values,
    isDynamic: true,
  };
}

/** The present state, independent of the period. */
function liveStatement({ scope, now }: ReportParameters): Statement {
  const { tenant_id, department_id = null, user_id = null } = scope;
  return {
    text: `SELECT
        (SELECT count(*)::int FROM users u JOIN user_presence p ON p.user_id = u.id
         WHERE u.tenant_id = $1 AND u.active AND p.presence IN ('online', 'busy')
           AND ($3::uuid IS NULL OR u.id = $3)
           AND ($2::uuid IS NULL OR EXISTS (SELECT FROM department_members m
             WHERE m.department_id = $2 AND m.user_id = u.id))) AS online_agents,
        (SELECT GREATEST(0, floor(extract(epoch FROM $4::timestamptz - oldest.waits_since)))::int
         FROM departments d CROSS JOIN LATERAL (
           SELECT e.waits_since FROM line_entries e WHERE e.department_id = d.id AND e.overflowed_from IS NULL
             AND NOT e.awaits_callback
           ORDER BY e.waits_since LIMIT 1) oldest
         WHERE d.tenant_id = $1 AND $3::uuid IS NULL AND ($2::uuid IS NULL OR d.id = $2)
         ORDER BY oldest.waits_since LIMIT 1) AS current_longest_wait`,
    values: [tenant_id, department_id, user_id, now],
  };
}
