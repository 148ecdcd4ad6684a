import { DateTime } from 'luxon';
import { badRequest } from '../platform/http/api-error';
import { isDateOnly } from '../platform/http/moment';

/** The longest period of a report, in days: three years. */
export const MOST_DAYS = 1096;
const USUAL_DAYS = 30;

export const INTERVALS = ['day', 'week', 'month'] as const;

export type Interval = (typeof INTERVALS)[number];

/** A stretch of time, and the days that it touches on the clocks of a time zone. */
export interface Period {
  timezone: string;
  from: Date;
  /** The first moment that no longer belongs to it. */
  until: Date;
  /** YYYY-MM-DD. */
  first_day: string;
  last_day: string;
  /** Whether it begins and ends with a day. */
  whole_days: boolean;
}

/**
 * The period that was asked for; without any, the last 30 days with today. A bare date means the whole day in
 * `timezone`, and a time without a zone is read there, too. ISO 8601.
 * @throws 400 for an end before the beginning and for more than three years
 */
export function periodOf(
  asked: { date_from?: string; date_to?: string },
  timezone: string,
  now: Date,
): Period {
  const today = DateTime.fromJSDate(now, { zone: timezone }).toISODate() ?? '';
  const to = asked.date_to ?? (asked.date_from && asked.date_from > today ? asked.date_from : today);
  const last = read(to, timezone);
  const from = asked.date_from ?? last.minus({ days: USUAL_DAYS - 1 }).toISODate() ?? '';
  const first = read(from, timezone);
  const until = isDateOnly(to) ? last.plus({ days: 1 }).startOf('day') : last.plus(1);
  if (first >= until) throw badPeriod('date_to must not be before date_from');
  if (until.diff(first, 'days').days > MOST_DAYS) {
    throw badPeriod(`date_from and date_to must not be more than ${MOST_DAYS} days apart`);
  }
  return {
    timezone,
    from: first.toJSDate(),
    until: until.toJSDate(),
    first_day: first.toISODate() ?? '',
    last_day: until.minus(1).toISODate() ?? '',
    whole_days: isDateOnly(from) && isDateOnly(to),
  };
}

/** The beginning of the period that is as long and ends where this one begins: as many days, or as much time. */
export function beginningOfPeriodBefore({ timezone, from, until, whole_days }: Period): Date {
  const start = DateTime.fromJSDate(from, { zone: timezone });
  const end = DateTime.fromJSDate(until, { zone: timezone });
  const length = whole_days ? end.diff(start, 'days') : end.diff(start);
  return start.minus(length).toJSDate();
}

/** The first days of all days, weeks (ISO 8601, from Monday) or months that the period touches. */
export function startsOf({ first_day, last_day }: Period, interval: Interval): string[] {
  const starts: string[] = [];
  // Dates without a clock: in UTC none is skipped and none comes twice.
  let start = DateTime.fromISO(first_day, { zone: 'utc' }).startOf(interval);
  for (; (start.toISODate() ?? '') <= last_day; start = start.plus({ [interval]: 1 })) {
    starts.push(start.toISODate() ?? '');
  }
  return starts;
}

/** How often each weekday (1 is Monday, as in ISO 8601) is among the days of the period. */
export function weekdaysOf(period: Period): Map<number, number> {
  const counts = new Map<number, number>();
  for (const day of startsOf(period, 'day')) {
    const { weekday } = DateTime.fromISO(day, { zone: 'utc' });
    counts.set(weekday, (counts.get(weekday) ?? 0) + 1);
  }
  return counts;
}

const read = (text: string, zone: string) => {
  const moment = DateTime.fromISO(text, { zone });
  return isDateOnly(text) ? moment.startOf('day') : moment;
};

const badPeriod = (problem: string) =>
  badRequest(`Bad parameter: ${problem}.`, { [problem.split(' ', 1)[0] ?? '']: [problem] });
