import { WAS_TOLD } from '../calls/told-wait';
import { Filter } from '../platform/database/filter';
import { localTime } from '../platform/clock/time-zone';
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

/** Also of a call that waits again after a transfer, and of one that was not completed in the end. */
const ANSWERED = 'c.started_at IS NOT NULL';

/**
 * The customer left the line after the service level's seconds. A release that did not record when they left recorded how long
 * the call had waited.
 */
const leftAfter = (threshold: string) =>
  `c.status = 'cancelled' AND COALESCE(c.left_after, c.wait_time) > ${threshold}`;

const LOCAL_TIME = localTime('c.inserted_at');

const HANDLE_TIME = `CASE WHEN ${ANSWERED} AND c.status NOT IN ('queued', 'assigned', 'active')
  THEN COALESCE(p.handle_time, c.duration) END`;

/** Seconds between two times, without a fraction, as the duration of a call. */
export const wholeSeconds = (from: string, until: string) => `floor(date_part('epoch', ${until} - ${from}))`;

const count = (condition: string) => `count(*) FILTER (WHERE ${condition})::int`;
const total = (value: string, condition = 'true') =>
  `COALESCE(sum(${value}) FILTER (WHERE ${condition}), 0)::float8`;

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
  answered_calls: count(ANSWERED),
  answered_in_time: count(`${ANSWERED} AND c.wait_time <= ${threshold}`),
  left_calls: count(leftAfter(threshold)),
  dropped_calls: count(`c.status = 'completed' AND c.end_reason = 'disconnect'`),
  abandoned_late: count(
    `(c.status = 'abandoned' AND c.wait_time > ${threshold} OR ${leftAfter(threshold)}) AND NOT (${ANSWERED})`,
  ),
  answer_wait: total('c.wait_time', ANSWERED),
  told_calls: count(`${ANSWERED} AND ${WAS_TOLD}`),
  wait_estimate_error: total('abs(c.told_wait_time - c.wait_time)', `${ANSWERED} AND ${WAS_TOLD}`),
  longest_wait_time: 'max(c.wait_time)',
  calls_with_duration: 'count(c.duration)::int',
  duration: total('c.duration'),
  handled_calls: 'count(c.handle_time)::int',
  handle_time: total('c.handle_time'),
  calls_without_parts: count('c.duration IS NOT NULL AND NOT c.has_parts'),
  duration_without_parts: total('c.duration', 'NOT c.has_parts'),
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
    .and('z.name = ?', period.timezone.toLowerCase())
    .parameter('integer', threshold)
    .and('c.tenant_id = ?', scope.tenant_id)
    .and('c.inserted_at >= ?', period.from)
    .and('c.inserted_at < ?', period.until)
    .andIf('c.department_id = ?', scope.department_id)
    .andIf('c.user_id = ?', scope.user_id);
  const columns = Object.entries(sumsOfRows('$2::integer')).map(([name, sql]) => `${sql} AS ${name}`);
  return {
    from: `(SELECT c.*, ${LOCAL_TIME}::date AS day, extract(hour FROM ${LOCAL_TIME})::int AS hour,
        p.call_id IS NOT NULL AS has_parts, ${HANDLE_TIME} AS handle_time
      FROM timezone_offsets z CROSS JOIN calls c LEFT JOIN (
        SELECT call_id, sum(${wholeSeconds('started_at', 'ended_at')} + COALESCE(wrap_up_time, 0)) AS handle_time
        FROM call_parts WHERE tenant_id = $3 AND joined_at >= $4 AND joined_at < $5
        GROUP BY call_id) p ON p.call_id = c.id
      ${filter.sql}) c`,
    sums: columns.join(', '),
    values: filter.values,
  };
}

/** Sums over the materialized views: only for whole days, the tenant's time zone and its threshold. */
export function fromViews(scope: CallScope, period: Period, by: 'hour' | 'agent' = 'hour'): SumsSource {
  const view = by === 'agent' || scope.user_id ? 'agent_hour_sums' : 'call_hour_sums';
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
