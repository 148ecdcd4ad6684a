import { DateTime } from 'luxon';
import { badRequest } from '../platform/http/errors/api-error';
import { isDateOnly } from '../platform/http/input/timestamp';

/** The maximum length of a period: three years. */
export const MAX_DAYS = 1096;
const DEFAULT_DAYS = 30;
/** Later dates are rejected, because they are probably typing errors. */
const MAX_YEAR = 2199;

export const INTERVALS = ['day', 'week', 'month'] as const;

export type Interval = (typeof INTERVALS)[number];

/** A range of time, and the local days of a time zone that it overlaps. */
export interface Period {
  timezone: string;
  from: Date;
  /** The end, exclusive. */
  until: Date;
  /** YYYY-MM-DD. */
  first_day: string;
  last_day: string;
  /** Whether it begins and ends at the boundary of a day. */
  is_whole_days: boolean;
}

/**
 * Parses a period in ISO 8601; by default the last 30 days including today. A date without a time is a whole day in
 * `timezone`, and a time without an offset is local to it.
 * @throws 400 for an end before the beginning, and for more than MAX_DAYS
 */
export function parsePeriod(
  requested: { date_from?: string; date_to?: string },
  timezone: string,
  now: Date,
): Period {
  const today = DateTime.fromJSDate(now, { zone: timezone }).toISODate() ?? '';
  const to =
    requested.date_to ?? (requested.date_from && requested.date_from > today ? requested.date_from : today);
  const last = parseMoment(to, timezone);
  const from = requested.date_from ?? last.minus({ days: DEFAULT_DAYS - 1 }).toISODate() ?? '';
  const first = parseMoment(from, timezone);
  if (last.year > MAX_YEAR) throw badPeriod(`date_to must not be after ${MAX_YEAR}`);
  const until = isDateOnly(to) ? startOfDay(last.plus({ days: 1 })) : last.plus(1);
  if (first >= until) throw badPeriod('date_to must not be before date_from');
  if (until.diff(first, 'days').days > MAX_DAYS) {
    throw badPeriod(`date_from and date_to must not be more than ${MAX_DAYS} days apart`);
  }
  return {
    timezone,
    from: first.toJSDate(),
    until: until.toJSDate(),
    first_day: first.toISODate() ?? '',
    last_day: until.minus(1).toISODate() ?? '',
    is_whole_days: isDateOnly(from) && isDateOnly(to),
  };
}

/** The start of the preceding period of equal length: as many days for whole days, otherwise as much time. */
export function previousPeriodStart(period: Period): Date {
  const { timezone, from, until, is_whole_days: whole_days } = period;
  const start = DateTime.fromJSDate(from, { zone: timezone });
  if (!whole_days) return new Date(2 * from.getTime() - until.getTime());
  return startOfDay(start.minus({ days: daysOf(period).length })).toJSDate();
}

/** The first days (YYYY-MM-DD) of all days, weeks (ISO 8601, from Monday) or months that the period overlaps. */
export function intervalStarts(period: Period, interval: Interval): string[] {
  return [...new Set(daysOf(period).map((day) => day.startOf(interval).toISODate() ?? ''))];
}

/**
 * Returns a function that counts how often an hour of the week (weekday 1 is Monday, as in ISO 8601) has begun within
 * the period. Hours in the future do not count, since they have no calls yet.
 */
export function countWeekHours(period: Period, now: Date): (weekday: number, hour: number) => number {
  const present = DateTime.fromJSDate(now, { zone: period.timezone });
  const today = present.toISODate() ?? '';
  const days = daysOf(period).map((day) => ({ weekday: day.weekday, date: day.toISODate() ?? '' }));
  return (weekday, hour) =>
    days.filter(
      (day) => day.weekday === weekday && (day.date < today || (day.date === today && hour <= present.hour)),
    ).length;
}

/** Counts days in UTC, where no day is skipped or repeated. */
function daysOf({ first_day, last_day }: Period): DateTime[] {
  const last = DateTime.fromISO(last_day, { zone: 'utc' });
  const days = [];
  for (let day = DateTime.fromISO(first_day, { zone: 'utc' }); day <= last; day = day.plus({ days: 1 })) {
    days.push(day);
  }
  return days;
}

const parseMoment = (text: string, zone: string) => {
  const moment = DateTime.fromISO(text, { zone });
  return isDateOnly(text) ? startOfDay(moment) : moment;
};

/** Where clocks go back at midnight, that hour occurs twice: the day begins with the first. */
const startOfDay = (moment: DateTime): DateTime =>
  moment
    .startOf('day')
    .getPossibleOffsets()
    .reduce((one, other) => (one < other ? one : other));

const badPeriod = (problem: string) =>
  badRequest(`Bad parameter: ${problem}.`, { [problem.split(' ', 1)[0] ?? '']: [problem] });
