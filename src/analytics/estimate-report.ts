import { Injectable } from '@nestjs/common';
import { WAS_TOLD } from '../calls/told-wait';
import { LargeReads } from '../platform/database/connections/large-reads';
import { Database } from '../platform/database/database';
import { Filter } from '../platform/database/filter';
import { naturalOrder } from '../platform/database/natural-order';
import type { Statement } from '../platform/database/statement';
import type { AnalyticsQuery } from './analytics-query.dto';
import type { EstimateReportDto } from './estimate-report.dto';
import { quotient } from './figures';
import { Report, reportMeta } from './report';
import { type ReportParameters, ReportParametersReader } from './report-parameters-reader';

/** Sums over the answered calls of a department; waits and estimates are in seconds. */
interface EstimateSums {
  calls: number;
  absolute_error: number;
  error: number;
  /** Calls that got a range. */
  ranged_calls: number;
  /** Those of them that waited no longer than its upper end, before that was rounded. */
  covered_calls: number;
}

type DepartmentRow = EstimateSums & Pick<EstimateReportDto, 'department_id' | 'name' | 'estimator'>;

/** How good the estimates of waits were, by department: computed from the calls, so always up to date. */
@Injectable()
export class EstimateReport {
  constructor(
    private readonly database: Database,
    private readonly largeReads: LargeReads,
    private readonly parameters: ReportParametersReader,
  ) {}

  /**
   * The departments, and former ones with answered calls in the period, by name.
   * @throws 400 for parameters that are not valid
   */
  async get(tenantId: string, query: AnalyticsQuery): Promise<Report<EstimateReportDto[]>> {
    const parameters = { ...(await this.parameters.read(tenantId, query)), refreshed_at: null };
    const [rows] = await this.largeReads.read(tenantId, () =>
      this.database.readTenant<[DepartmentRow]>(tenantId, [estimatesStatement(parameters)]),
    );
    return new Report(rows.map(figuresOf), reportMeta(parameters));
  }
}

/**
 * The department that answered the call `c` first, and estimated its wait at the join. A transferred call is in another one.
 */
const JOINED_DEPARTMENT = `CASE WHEN c.transferred_at IS NULL THEN c.department_id ELSE COALESCE((
  SELECT p.department_id FROM call_parts p WHERE p.call_id = c.id ORDER BY p.started_at LIMIT 1), c.department_id) END`;

/** The best plan depends on the period. */
function estimatesStatement({ scope, period }: ReportParameters): Statement {
  const { tenant_id, department_id, user_id } = scope;
  const calls = new Filter()
    .and(
      `c.tenant_id = ? AND c.department_id IS NOT NULL AND c.started_at IS NOT NULL AND ${WAS_TOLD}`,
      tenant_id,
    )
    .and('c.inserted_at >= ?', period.from)
    .and('c.inserted_at < ?', period.until)
    .andIf(`${JOINED_DEPARTMENT} = ?`, department_id)
    .andIf('c.user_id = ?', user_id);
  const values = [...calls.values, department_id ?? null];
  const department = `$${values.length}::uuid`;
  const error = 'c.told_wait_time - c.wait_time';
  return {
    text: `SELECT COALESCE(d.id, s.department_id) AS department_id, COALESCE(d.name, s.name) AS name,
        COALESCE(l.in_use, 'queue_length') AS estimator,
        COALESCE(s.calls, 0) AS calls, COALESCE(s.absolute_error, 0) AS absolute_error,
        COALESCE(s.error, 0) AS error, COALESCE(s.ranged_calls, 0) AS ranged_calls,
        COALESCE(s.covered_calls, 0) AS covered_calls
      FROM (SELECT id, name FROM departments WHERE tenant_id = $1 AND (${department} IS NULL OR id = ${department})) d
        FULL JOIN (SELECT ${JOINED_DEPARTMENT} AS department_id, count(*)::int AS calls,
            COALESCE(max(c.department_name) FILTER (WHERE c.transferred_at IS NULL), max(c.department_name)) AS name,
            sum(abs(${error}))::float8 AS absolute_error, sum(${error})::float8 AS error,
            count(r.high)::int AS ranged_calls, (count(*) FILTER (WHERE c.wait_time <= r.high))::int AS covered_calls
          FROM calls c CROSS JOIN LATERAL (SELECT (c.join_estimate ->> 'high')::float8 AS high) r
          ${calls.sql} GROUP BY 1) s ON s.department_id = d.id
        LEFT JOIN wait_learning l ON l.department_id = d.id
      ORDER BY ${naturalOrder('COALESCE(d.name, s.name)')}, 1`,
    values,
    isDynamic: true,
  };
}

function figuresOf({ department_id, name, estimator, ...sums }: DepartmentRow): EstimateReportDto {
  const { calls, absolute_error, error, ranged_calls, covered_calls } = sums;
  return {
    department_id,
    name,
    calls,
    mae: quotient(absolute_error, calls, 1),
    bias: quotient(error, calls, 1),
    coverage: quotient(covered_calls, ranged_calls, 4),
    estimator,
  };
}
