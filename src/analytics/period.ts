import { DateTime } from 'luxon';
import { dayOf, startOfDay } from '../platform/clock/time-zone';
import { badParameters } from '../platform/http/errors/api-error';
import { isDateOnly } from '../platform/http/input/timestamp';
import { type DateRange, endOfRange, startOfRange } from '../platform/http/lists/date-filter';

/** The maximum length of a period: three years. */
export const MAX_DAYS = 1096;
const DEFAULT_DAYS = 30;
/** Other dates are rejected, because they are probably typing errors. */
const MIN_YEAR = 1900;
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
 * `timezone`, and a time without an offset is in UTC.
 * @throws 400 for an end before the beginning, and for more than MAX_DAYS
 */
export function parsePeriod({ date_from, date_to }: DateRange, timezone: string, now: Date): Period {
  const today = dayOf(now, timezone);
  const requested = date_from === undefined ? undefined : startOfRange(date_from, timezone);
  const to = date_to ?? [today, requested ? dayOf(requested, timezone) : today].toSorted()[1] ?? today;
  if (Number(to.slice(0, 4)) > MAX_YEAR) throw badEnd(`must not be after ${MAX_YEAR}`);
  if (Number(to.slice(0, 4)) < MIN_YEAR) throw badEnd(`must not be before ${MIN_YEAR}`);
  const until = endOfRange(to, timezone);
  const last_day = dayOf(new Date(until.getTime() - 1), timezone);
  const from = requested ?? startOfDay(shiftDays(last_day, 1 - DEFAULT_DAYS), timezone);
  if (from >= until) throw badEnd('must not be before date_from');
  const [start, end] = [from, until].map((moment) => DateTime.fromJSDate(moment, { zone: timezone }));
  if (start && end && end.diff(start, 'days').days > MAX_DAYS) {
    throw badParameters({ date_from: [`must be at most ${MAX_DAYS} days before date_to`] });
  }
  return {
    timezone,
    from,
    until,
    first_day: dayOf(from, timezone),
    last_day,
    is_whole_days: [date_from, date_to].every((date) => date === undefined || isDateOnly(date)),
  };
}

/** The start of the preceding period of equal length: as many days for whole days, otherwise as much time. */
export function previousPeriodStart(period: Period): Date {
  const { timezone, from, until, first_day, is_whole_days } = period;
  if (!is_whole_days) return new Date(2 * from.getTime() - until.getTime());
  return startOfDay(shiftDays(first_day, -daysOf(period).length), timezone);
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

const shiftDays = (day: string, days: number): string =>
  DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate() ?? '';

const badEnd = (problem: string) => badParameters({ date_to: [problem] });
