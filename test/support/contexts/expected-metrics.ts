import { DateTime } from 'luxon';
import type { CallRow, PeriodRow } from './arbitrary-calls';

/** The parameters of a report. */
export interface ReportQuery {
  date_from: string;
  date_to: string;
  timezone: string;
  threshold: number;
  department_id?: string;
  user_id?: string;
}

const mean = (numbers: number[], digits: number): number | null => {
  if (numbers.length === 0) return null;
  const sum = numbers.reduce((total, number) => total + number, 0);
  return Math.round((sum / numbers.length) * 10 ** digits) / 10 ** digits;
};

const localTime = (iso: string, zone: string) => DateTime.fromISO(iso, { zone });

/** Computes the metrics of docs/metrics.md from the calls in plain TypeScript, as the reference for the SQL reports. */
export function expectedMetrics(calls: CallRow[], threshold: number) {
  const withStatus = (...statuses: string[]) => calls.filter(({ status }) => statuses.includes(status));
  const answered = withStatus('active', 'completed');
  const abandoned = withStatus('abandoned');
  const inTime = answered.filter(({ wait_time }) => Number(wait_time) <= threshold);
  const late = abandoned.filter(({ wait_time }) => Number(wait_time) > threshold);
  const waits = calls.flatMap(({ wait_time }) => (wait_time === null ? [] : [wait_time]));
  const rated = (stars: number) => calls.filter(({ rating }) => rating === stars).length;
  const judged = [...answered.map((call) => Number(inTime.includes(call))), ...late.map(() => 0)];
  return {
    total_calls: calls.length,
    queued_calls: withStatus('queued').length,
    assigned_calls: withStatus('assigned').length,
    active_calls: withStatus('active').length,
    completed_calls: withStatus('completed').length,
    missed_calls: withStatus('missed').length,
    cancelled_calls: withStatus('cancelled').length,
    abandoned_calls: abandoned.length,
    answered_calls: answered.length,
    average_wait_time: mean(
      answered.map(({ wait_time }) => Number(wait_time)),
      1,
    ),
    longest_wait_time: waits.length > 0 ? Math.max(...waits) : null,
    wait_estimate_error: mean(
      answered.map(({ wait_time, estimated_wait_time }) => Math.abs(estimated_wait_time - Number(wait_time))),
      1,
    ),
    average_duration: mean(
      calls.flatMap(({ duration }) => (duration === null ? [] : [duration])),
      1,
    ),
    service_level: mean(judged, 4),
    abandonment_rate: mean(
      calls.map(({ status }) => Number(status === 'abandoned')),
      4,
    ),
    average_rating: mean(
      calls.flatMap(({ rating }) => (rating === null ? [] : [rating])),
      2,
    ),
    ratings: { 1: rated(1), 2: rated(2), 3: rated(3), 4: rated(4), 5: rated(5) },
  };
}

/** The days from `date_from` to `date_to`, both included. */
export function daysOf({ date_from, date_to }: ReportQuery): string[] {
  const days: string[] = [];
  for (let day = DateTime.fromISO(date_from, { zone: 'utc' }); ; day = day.plus({ days: 1 })) {
    days.push(day.toFormat('yyyy-MM-dd'));
    if (days.at(-1) === date_to) return days;
  }
}

/** The calls that match the filters and started on these days in the time zone. */
export function callsIn(calls: CallRow[], asked: ReportQuery, days = daysOf(asked)): CallRow[] {
  const wanted = new Set(days);
  return calls.filter(
    (call) =>
      wanted.has(localTime(call.inserted_at, asked.timezone).toFormat('yyyy-MM-dd')) &&
      (asked.department_id === undefined || call.department_id === asked.department_id) &&
      (asked.user_id === undefined || call.user_id === asked.user_id),
  );
}

/** The metrics per day, week or month, identified by its first day. */
export function expectedTrends(calls: CallRow[], asked: ReportQuery, interval: 'day' | 'week' | 'month') {
  const startOf = (day: string) =>
    DateTime.fromISO(day, { zone: 'utc' }).startOf(interval).toFormat('yyyy-MM-dd');
  const groups = Map.groupBy(daysOf(asked), startOf);
  return [...groups].map(([period, days]) => ({
    period,
    ...expectedMetrics(callsIn(calls, asked, days), asked.threshold),
  }));
}

/** The metrics per weekday and hour. */
export function expectedHours(calls: CallRow[], asked: ReportQuery) {
  const days = daysOf(asked);
  const timed = callsIn(calls, asked).map((call) => ({
    call,
    time: localTime(call.inserted_at, asked.timezone),
  }));
  return Array.from({ length: 7 * 24 }, (_, index) => {
    const [weekday, hour] = [Math.floor(index / 24) + 1, index % 24];
    const callsInHour = timed
      .filter(({ time }) => time.weekday === weekday && time.hour === hour)
      .map(({ call }) => call);
    const matchingDays = days.filter((day) => DateTime.fromISO(day, { zone: 'utc' }).weekday === weekday);
    const average =
      matchingDays.length > 0 ? Math.round((callsInHour.length / matchingDays.length) * 100) / 100 : null;
    return { weekday, hour, average_calls: average, ...expectedMetrics(callsInHour, asked.threshold) };
  });
}

/** The metrics of one agent. Presence counts only within the days. */
export function expectedAgent(
  calls: CallRow[],
  periods: PeriodRow[],
  userId: string,
  asked: ReportQuery,
  now: Date,
) {
  const own = callsIn(calls, asked).filter(({ user_id }) => user_id === userId);
  const figures = expectedMetrics(own, asked.threshold);
  const start = localTime(asked.date_from, asked.timezone).toMillis();
  const end = Math.min(localTime(asked.date_to, asked.timezone).plus({ days: 1 }).toMillis(), now.getTime());
  const time = (...presences: string[]) =>
    periods
      .filter(({ user_id, presence }) => user_id === userId && presences.includes(presence))
      .map(({ began_at, ended_at }) => {
        const until = ended_at === 'infinity' ? end : Math.min(Date.parse(ended_at), end);
        return Math.max(0, until - Math.max(Date.parse(began_at), start));
      })
      .reduce((sum, ms) => sum + ms, 0);
  const online = time('online', 'busy');
  return {
    user_id: userId,
    answered: figures.answered_calls,
    missed: figures.missed_calls,
    average_wait_time: figures.average_wait_time,
    average_duration: figures.average_duration,
    average_rating: figures.average_rating,
    occupancy: online > 0 ? Math.round((time('busy') / online) * 10_000) / 10_000 : null,
    online_time: Math.round(online / 1000),
  };
}
