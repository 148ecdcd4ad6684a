import { DateTime } from 'luxon';
import { badRequest } from '../platform/http/errors/api-error';
import { isDateOnly } from '../platform/http/input/timestamp';

/** The longest period of a report, in days: three years. */
export const MAX_DAYS = 1096;
const USUAL_DAYS = 30;
/** What is further off is a slip of the pen. */
const LAST_YEAR = 2199;

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
  if (last.year > LAST_YEAR) throw badPeriod(`date_to must not be after ${LAST_YEAR}`);
  const until = isDateOnly(to) ? firstOfDay(last.plus({ days: 1 })) : last.plus(1);
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
    whole_days: isDateOnly(from) && isDateOnly(to),
  };
}

/** The beginning of the period that is as long and ends where this one begins: as many days, or as much time. */
export function beginningOfPeriodBefore(period: Period): Date {
  const { timezone, from, until, whole_days } = period;
  const start = DateTime.fromJSDate(from, { zone: timezone });
  if (!whole_days) return new Date(2 * from.getTime() - until.getTime());
  return firstOfDay(start.minus({ days: daysOf(period).length })).toJSDate();
}

/** The first days of all days, weeks (ISO 8601, from Monday) or months that the period touches. */
export function startsOf(period: Period, interval: Interval): string[] {
  return [...new Set(daysOf(period).map((day) => day.startOf(interval).toISODate() ?? ''))];
}

/**
 * How often the hours of a week (weekday 1 is Monday, as in ISO 8601) have begun within the period: those to come say
 * nothing about how many calls they bring.
 */
export function weekHoursOf(period: Period, now: Date): (weekday: number, hour: number) => number {
  const present = DateTime.fromJSDate(now, { zone: period.timezone });
  const today = present.toISODate() ?? '';
  const days = daysOf(period).map((day) => ({ weekday: day.weekday, date: day.toISODate() ?? '' }));
  return (weekday, hour) =>
    days.filter(
      (day) => day.weekday === weekday && (day.date < today || (day.date === today && hour <= present.hour)),
    ).length;
}

/** In UTC, where no day is skipped and none comes twice. */
function daysOf({ first_day, last_day }: Period): DateTime[] {
  const last = DateTime.fromISO(last_day, { zone: 'utc' });
  const days = [];
  for (let day = DateTime.fromISO(first_day, { zone: 'utc' }); day <= last; day = day.plus({ days: 1 })) {
    days.push(day);
  }
  return days;
}

const read = (text: string, zone: string) => {
  const moment = DateTime.fromISO(text, { zone });
  return isDateOnly(text) ? firstOfDay(moment) : moment;
};

/** Where clocks are put back at midnight, there are two of them: the day begins with the earlier one. */
const firstOfDay = (moment: DateTime): DateTime =>
  moment
    .startOf('day')
    .getPossibleOffsets()
    .reduce((one, other) => (one < other ? one : other));

const badPeriod = (problem: string) =>
  badRequest(`Bad parameter: ${problem}.`, { [problem.split(' ', 1)[0] ?? '']: [problem] });
