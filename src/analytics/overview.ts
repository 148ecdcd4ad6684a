import { Injectable } from '@nestjs/common';
import { ConnectionLimiter } from '../platform/database/connection-limiter';
import { Database } from '../platform/database/database';
import type { Statement } from '../platform/database/statement';
import type { AnalyticsQuery, OverviewDto } from './analytics.dto';
import { fromCalls } from './call-sums';
import { type CallSums, figuresOf, NO_CALLS } from './figures';
import { beginningOfPeriodBefore } from './period';
import { Report } from './report';
import { type ReportTerms, ReportTermsReader } from './report-terms';
import { metaOf } from './reports.service';

interface LiveFigures {
  online_agents: number;
  current_longest_wait: number | null;
}

type PeriodSums = CallSums & { is_before: boolean };

/** Reports of a year, which may be slow, keep no dashboard waiting. */
@Injectable()
export class OverviewConnectionLimiter extends ConnectionLimiter {}

/** The figures of a period beside those of the period before, counted from the calls themselves. */
@Injectable()
export class Overview {
  constructor(
    private readonly database: Database,
    private readonly share: OverviewConnectionLimiter,
    private readonly terms: ReportTermsReader,
  ) {}

  /** @throws 400 */
  async get(tenantId: string, query: AnalyticsQuery): Promise<Report<OverviewDto>> {
    const terms = { ...(await this.terms.read(tenantId, query)), refreshed_at: null };
    const statements = [sumsStatement(terms), liveStatement(terms)];
    const [sums, live] = await this.share.run(() =>
      this.database.readTenant<[PeriodSums, LiveFigures]>(tenantId, statements),
    );
    const figures = (before: boolean) =>
      figuresOf(sums.find(({ is_before }) => is_before === before) ?? NO_CALLS);
    const [now = { online_agents: 0, current_longest_wait: null }] = live;
    const overview = { ...figures(false), ...now, previous: figures(true) };
    return new Report(overview, metaOf(terms));
  }
}

/** Both periods in one walk over the index: the one begins where the other ends. */
function sumsStatement({ scope, period, threshold }: ReportTerms): Statement {
  const both = { ...period, from: beginningOfPeriodBefore(period) };
  const source = fromCalls(scope, both, threshold);
  const values = [...source.values, period.from];
  const group = `c.inserted_at < $${values.length} AS is_before`;
  return { text: `SELECT ${group}, ${source.sums} FROM ${source.from} GROUP BY 1`, values };
}

/** What is so at this moment, whatever the period. */
function liveStatement({ scope, now }: ReportTerms): Statement {
  const { tenant_id, department_id = null, user_id = null } = scope;
  return {
    name: 'live-figures',
    text: `SELECT
        (SELECT count(*)::int FROM users u JOIN user_presence p ON p.user_id = u.id
         WHERE u.tenant_id = $1 AND u.active AND p.presence IN ('online', 'busy')
           AND ($3::uuid IS NULL OR u.id = $3)
           AND ($2::uuid IS NULL OR EXISTS (SELECT FROM department_members m
             WHERE m.department_id = $2 AND m.user_id = u.id))) AS online_agents,
        (SELECT GREATEST(0, floor(extract(epoch FROM $4::timestamptz - c.inserted_at)))::int FROM calls c
         WHERE c.tenant_id = $1 AND c.status = 'queued' AND $3::uuid IS NULL
           AND ($2::uuid IS NULL OR c.department_id = $2)
         ORDER BY c.inserted_at LIMIT 1) AS current_longest_wait`,
    values: [tenant_id, department_id, user_id, now],
  };
}
