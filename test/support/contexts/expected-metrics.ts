import { DateTime } from 'luxon';
import type { CallRow, OfferRow, PartRow, PeriodRow } from './arbitrary-calls';

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
  return Math.round((total(numbers) / numbers.length) * 10 ** digits) / 10 ** digits;
};

const total = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Seconds of a part with its wrap-up. */
const timeOf = (part: PartRow): number =>
  Math.floor((Date.parse(part.ended_at) - Date.parse(part.started_at)) / 1000) + (part.wrap_up_time ?? 0);

/** The handle time of an answered call; empty for one that has not ended. */
function handleTime({ status, parts, duration }: CallRow): number[] {
  if (['queued', 'assigned', 'active'].includes(status)) return [];
  if (parts.length > 0) return [total(parts.map(timeOf))];
  return duration === null ? [] : [duration];
}

const localTime = (iso: string, zone: string) => DateTime.fromISO(iso, { zone });

/** Computes the metrics of docs/metrics.md from the calls in plain TypeScript, as the reference for the SQL reports. */
export function expectedMetrics(calls: CallRow[], threshold: number) {
  const withStatus = (...statuses: string[]) => calls.filter(({ status }) => statuses.includes(status));
  const answered = calls.filter(({ started_at }) => started_at !== null);
  const abandoned = withStatus('abandoned');
  const inTime = answered.filter(({ wait_time }) => Number(wait_time) <= threshold);
  const left = withStatus('cancelled').filter(
    ({ left_after, wait_time }) => Number(left_after ?? wait_time) > threshold,
  );
  const late = [...abandoned.filter(({ wait_time }) => Number(wait_time) > threshold), ...left].filter(
    ({ started_at }) => started_at === null,
  );
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
    left_calls: left.length,
    dropped_calls: withStatus('completed').filter(({ end_reason }) => end_reason === 'disconnect').length,
    answered_calls: answered.length,
    average_wait_time: mean(
      answered.map(({ wait_time }) => Number(wait_time)),
      1,
    ),
    longest_wait_time: waits.length > 0 ? Math.max(...waits) : null,
    wait_estimate_error: mean(
      answered
        .filter(({ was_told, callback_status }) => was_told && callback_status === null)
        .map(({ wait_time, estimated_wait_time }) => Math.abs(estimated_wait_time - Number(wait_time))),
      1,
    ),
    average_duration: mean(
      calls.flatMap(({ duration }) => (duration === null ? [] : [duration])),
      1,
    ),
    average_handle_time: mean(answered.flatMap(handleTime), 1),
    service_level: mean(judged, 4),
    abandonment_rate: mean(
      calls.map((call) => Number(call.status === 'abandoned' || left.includes(call))),
      4,
    ),
    average_rating: mean(
      calls.flatMap(({ rating }) => (rating === null ? [] : [rating])),
      2,
    ),
    ratings: { 1: rated(1), 2: rated(2), 3: rated(3), 4: rated(4), 5: rated(5) },
  };
}

/** The figures of the overview that the other reports do not have. */
export function expectedOfOverview(calls: CallRow[]) {
  const withCallback = (status: string) =>
    calls.filter(({ callback_status }) => callback_status === status).length;
  return {
    callbacks: {
      requested: calls.filter(({ callback_status }) => callback_status !== null).length,
      returned: withCallback('returned'),
      expired: withCallback('expired'),
    },
    overflowed: calls.filter(({ overflowed_at }) => overflowed_at !== null).length,
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

/** What the records of an agent are. */
interface Activity {
  calls: CallRow[];
  offers: OfferRow[];
  periods: PeriodRow[];
}

/** The metrics of one agent. Presence counts only within the days. */
export function expectedAgent(activity: Activity, userId: string, asked: ReportQuery, now: Date) {
  const own = callsIn(activity.calls, asked).filter(({ user_id }) => user_id === userId);
  const figures = expectedMetrics(own, asked.threshold);
  return {
    user_id: userId,
    answered: figures.answered_calls,
    missed: figures.missed_calls,
    dropped: figures.dropped_calls,
    average_wait_time: figures.average_wait_time,
    average_duration: figures.average_duration,
    average_rating: figures.average_rating,
    ...expectedParts(activity.calls, own, userId, asked),
    ...expectedOffers(activity.offers, userId, asked),
    ...expectedTimes(activity.periods, userId, asked, now),
  };
}

/** @param own the calls whose last agent this one is */
function expectedParts(calls: CallRow[], own: CallRow[], userId: string, asked: ReportQuery) {
  const parts = callsIn(calls, { ...asked, department_id: undefined, user_id: undefined })
    .flatMap((call) => call.parts)
    .filter(
      ({ user_id, department_id }) =>
        user_id === userId && (asked.department_id === undefined || asked.department_id === department_id),
    );
  const durations = own.flatMap(({ duration, parts: { length } }) =>
    duration === null || length > 0 ? [] : [duration],
  );
  return {
    average_handle_time: mean([...parts.map(timeOf), ...durations], 1),
    wrap_up_time: total(parts.map(({ wrap_up_time }) => wrap_up_time ?? 0)),
    transfers: parts.filter(({ ended_by }) => ended_by === 'transferred').length,
  };
}

function expectedOffers(all: OfferRow[], userId: string, asked: ReportQuery) {
  const days = new Set(daysOf(asked));
  const offers = all.filter(
    ({ user_id, department_id, offered_at }) =>
      user_id === userId &&
      (asked.department_id === undefined || asked.department_id === department_id) &&
      days.has(localTime(offered_at, asked.timezone).toFormat('yyyy-MM-dd')),
  );
  const ended = (...statuses: string[]) => offers.filter(({ status }) => statuses.includes(status));
  const answers = ended('accepted').map(
    ({ offered_at, ended_at }) => (Date.parse(ended_at) - Date.parse(offered_at)) / 1000,
  );
  return {
    offers: offers.length,
    accepted_offers: answers.length,
    declined_offers: ended('declined').length,
    missed_offers: ended('expired').length,
    acceptance_rate: mean(
      ended('accepted', 'declined', 'expired').map(({ status }) => Number(status === 'accepted')),
      4,
    ),
    average_answer_time: mean(answers, 1),
  };
}

/** The state that a presence without one is nearest to. */
const NEAREST_STATES: Record<string, string> = { online: 'available', busy: 'on_call', away: 'paused' };

function expectedTimes(periods: PeriodRow[], userId: string, asked: ReportQuery, now: Date) {
  const start = localTime(asked.date_from, asked.timezone).toMillis();
  const end = Math.min(localTime(asked.date_to, asked.timezone).plus({ days: 1 }).toMillis(), now.getTime());
  const time = (matches: (period: PeriodRow) => boolean) =>
    total(
      periods
        .filter((period) => period.user_id === userId && matches(period))
        .map(({ began_at, ended_at }) => {
          const until = ended_at === 'infinity' ? end : Math.min(Date.parse(ended_at), end);
          return Math.max(0, until - Math.max(Date.parse(began_at), start));
        }),
    );
  const online = time(({ presence }) => presence !== 'away');
  const busy = time(({ presence }) => presence === 'busy');
  const inState = (name: string) =>
    Math.round(time(({ presence, state }) => (state ?? NEAREST_STATES[presence]) === name) / 1000);
  return {
    occupancy: online > 0 ? Math.round((busy / online) * 10_000) / 10_000 : null,
    online_time: Math.round(online / 1000),
    state_times: {
      available: inState('available'),
      offered: inState('offered'),
      on_call: inState('on_call'),
      wrap_up: inState('wrap_up'),
      paused: inState('paused'),
    },
  };
}
