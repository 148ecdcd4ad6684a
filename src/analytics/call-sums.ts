import { Filter } from '../platform/database/filter';
import { type CallSums, NO_CALLS } from './figures';
import type { Period } from './period';

/** The calls that a report includes. */
export interface CallScope {
  tenant_id: string;
  department_id?: string;
  user_id?: string;
}

/**
 * A source of sums. `from` is a FROM clause with the columns day and hour (local to the period's time zone), user_id and
 * department_id to group by; `sums` is a SELECT list with the fields of CallSums for a group.
 */
export interface SumsSource {
  from: string;
  sums: string;
  values: unknown[];
}

const ANSWERED = `c.status IN ('active', 'completed')`;

const count = (condition: string) => `count(*) FILTER (WHERE ${condition})::int`;
const total = (value: string) => `COALESCE(sum(${value}) FILTER (WHERE ${ANSWERED}), 0)::float8`;

/** @param threshold SQL for the seconds within which a call must be answered to be in time */
const sumsOfRows = (threshold: string): Record<keyof CallSums, string> => ({
  total_calls: 'count(*)::int',
  queued_calls: count(`c.status = 'queued'`),
  assigned_calls: count(`c.status = 'assigned'`),
  active_calls: count(`c.status = 'active'`),
  completed_calls: count(`c.status = 'completed'`),
  missed_calls: count(`c.status = 'missed'`),
  cancelled_calls: count(`c.status = 'cancelled'`),
  abandoned_calls: count(`c.status = 'abandoned'`),
  answered_in_time: count(`${ANSWERED} AND c.wait_time <= ${threshold}`),
  abandoned_late: count(`c.status = 'abandoned' AND c.wait_time > ${threshold}`),
  answer_wait: total('c.wait_time'),
  wait_estimate_error: total('abs(c.estimated_wait_time - c.wait_time)'),
  longest_wait_time: 'max(c.wait_time)',
  handled_calls: 'count(c.duration)::int',
  handle_time: 'COALESCE(sum(c.duration), 0)::float8',
  rating_1: count('c.rating = 1'),
  rating_2: count('c.rating = 2'),
  rating_3: count('c.rating = 3'),
  rating_4: count('c.rating = 4'),
  rating_5: count('c.rating = 5'),
});

const SUMS_OF_SUMS = Object.keys(NO_CALLS)
  .map((name) => (name === 'longest_wait_time' ? `max(c.${name})` : `sum(c.${name})::float8`) + ` AS ${name}`)
  .join(', ');

/** Sums over the calls themselves: always up to date, for any time zone and any threshold (in seconds). */
export function fromCalls(scope: CallScope, period: Period, threshold: number): SumsSource {
  const filter = new Filter()
    .parameter('text', period.timezone)
    .parameter('integer', threshold)
    .and('c.tenant_id = ?', scope.tenant_id)
    .andIf('c.department_id = ?', scope.department_id)
    .andIf('c.user_id = ?', scope.user_id)
    .and('c.inserted_at >= ?', period.from)
    .and('c.inserted_at < ?', period.until);
  const columns = Object.entries(sumsOfRows('$2::integer')).map(([name, sql]) => `${sql} AS ${name}`);
  return {
    from: `(SELECT c.*, (c.inserted_at AT TIME ZONE $1)::date AS day,
      extract(hour FROM c.inserted_at AT TIME ZONE $1)::int AS hour FROM calls c ${filter.sql}) c`,
    sums: columns.join(', '),
    values: filter.values,
  };
}

/** Sums over the materialized views: only for whole days, the tenant's time zone and its threshold. */
export function fromViews(scope: CallScope, period: Period, by: 'hour' | 'agent' = 'hour'): SumsSource {
  const view = by === 'agent' || scope.user_id ? 'agent_hours' : 'call_hours';
  const filter = new Filter()
    .and('c.tenant_id = ?', scope.tenant_id)
    .andIf('c.department_id = ?', scope.department_id)
    .andIf('c.user_id = ?', scope.user_id)
    .and('c.day >= ?', period.first_day)
    .and('c.day <= ?', period.last_day);
  return {
    from: `(SELECT * FROM ${view} c ${filter.sql}) c`,
    sums: SUMS_OF_SUMS,
    values: filter.values,
  };
}
