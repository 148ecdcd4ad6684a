import { naturalOrder } from '../platform/database/natural-order';
import type { Statement } from '../platform/database/statement';
import type { AgentReportDto } from './report.dto';
import type { SumsSource } from './call-sums';
import { type CallSums, callFigures, NO_CALLS, quotient } from './figures';
import type { ReportParameters } from './report-parameters-reader';

/** The sums are null for an agent without calls in the period. */
export type AgentRow = { [Sum in keyof CallSums]: CallSums[Sum] | null } & {
  user_id: string;
  user_name: string;
  /** Seconds in which the agent was online or in a call. */
  online_time: number;
  /** Seconds in which the agent was in a call. */
  busy_time: number;
};

/** Sums the intervals first, which is faster than converting each one to seconds. */
const seconds = (condition: string) =>
  `COALESCE(extract(epoch FROM sum(p.ended - p.began) FILTER (WHERE ${condition})), 0)::float8`;

/** Adds a value to a statement. @returns its placeholder, e.g. `$3` */
type Bind = (value: unknown) => string;

/** Selects an AgentRow for each agent: the sums of their calls and their presence times. */
export function agentReportStatement(parameters: ReportParameters, source: SumsSource): Statement {
  const { scope, refreshed_at } = parameters;
  const values = [...source.values];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const tenant = bind(scope.tenant_id);
  const presence =
    refreshed_at === null
      ? fromPresencePeriods(parameters, tenant, bind)
      : fromPresenceDays(parameters, tenant, bind);
  const user = scope.user_id ? `AND u.id = ${bind(scope.user_id)}` : '';
  const isListed = scope.department_id
    ? `u.active AND u.id IN (SELECT user_id FROM department_members WHERE department_id = ${bind(scope.department_id)})`
    : 'u.active OR p.user_id IS NOT NULL';
  return {
    values,
    text: `SELECT u.id AS user_id, u.name AS user_name, s.*,
        COALESCE(p.online_time, 0) AS online_time, COALESCE(p.busy_time, 0) AS busy_time
      FROM users u
      LEFT JOIN (SELECT c.user_id AS agent_id, ${source.sums} FROM ${source.from} GROUP BY c.user_id) s
        ON s.agent_id = u.id
      LEFT JOIN (${presence}) p ON p.user_id = u.id
      WHERE u.tenant_id = ${tenant} ${user} AND (s.agent_id IS NOT NULL OR ${isListed})
      ORDER BY ${naturalOrder('u.name')}, u.id`,
  };
}

function fromPresenceDays({ period }: ReportParameters, tenant: string, bind: Bind): string {
  return `SELECT user_id, sum(online_time) AS online_time, sum(busy_time) AS busy_time FROM presence_days
    WHERE tenant_id = ${tenant} AND day >= ${bind(period.first_day)} AND day <= ${bind(period.last_day)}
    GROUP BY user_id`;
}

/** Counts presence up to now. A period in the future has none. */
function fromPresencePeriods({ period, now }: ReportParameters, tenant: string, bind: Bind): string {
  const from = bind(period.from);
  const until = bind(new Date(Math.max(Number(period.from), Math.min(Number(period.until), Number(now)))));
  return `SELECT p.user_id, ${seconds(`p.presence IN ('online', 'busy')`)} AS online_time,
      ${seconds(`p.presence = 'busy'`)} AS busy_time
    FROM (SELECT user_id, presence, GREATEST(began_at, ${from}::timestamptz) AS began,
            LEAST(ended_at, ${until}::timestamptz) AS ended
          FROM presence_periods
          WHERE tenant_id = ${tenant} AND ended_at > ${from} AND began_at < ${until}) p
    GROUP BY p.user_id`;
}

/** Occupancy is the time in calls divided by the time online or in calls. */
export function agentReport(row: AgentRow): AgentReportDto {
  const figures = callFigures(row.total_calls === null ? NO_CALLS : (row as CallSums));
  return {
    user_id: row.user_id,
    user_name: row.user_name,
    answered: figures.answered_calls,
    missed: figures.missed_calls,
    average_wait_time: figures.average_wait_time,
    average_duration: figures.average_duration,
    average_rating: figures.average_rating,
    occupancy: quotient(row.busy_time, row.online_time, 4),
    online_time: Math.round(row.online_time),
  };
}
