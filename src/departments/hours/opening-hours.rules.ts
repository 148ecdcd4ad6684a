import { DateTime } from 'luxon';
import { END_OF_DAY, START_OF_DAY, WEEKDAYS, type WallInterval, type ZonedHours } from './opening-hours';
import { closingInstant, openingInstant } from './wall-time.rules';

/** A time during which a department is open, without interruption. */
export interface OpenPeriod {
  opens_at: Date;
  closes_at: Date;
}

/** A part of one day, in milliseconds since 1970. */
interface Span {
  start: number;
  /** Exclusive. */
  end: number;
}

interface WallTime {
  date: string;
  time: string;
}

interface WallSpan {
  from: WallTime;
  to: WallTime;
}

/** In a department with weekly hours, exceptions of later days are not considered until they are nearer. */
const MAX_LOOKAHEAD_DAYS = 731;

/** Two weeks: a weekly interval may be one that clocks skip in the first of them. */
const REGULAR_DAYS = 15;

/** Whether the department is open at this moment. */
export function isOpen(hours: ZonedHours, at: Date): boolean {
  const time = at.getTime();
  for (const { start } of spansFrom(hours, time, localDate(hours, time))) if (start <= time) return true;
  return false;
}

/**
 * The first moment from `at` on at which the department is open: `at` itself if it is open then.
 * @returns null if it never opens
 */
export function opensAt(hours: ZonedHours, at: Date): Date | null {
  if (isOpen(hours, at)) return at;
  const time = at.getTime();
  for (const { start } of spansFrom(hours, time, lastDate(hours, time))) return new Date(start);
  return null;
}

/**
 * When the department closes next: the end of the period that `at` is in, otherwise of the next one. Periods are joined
 * across midnight.
 * @returns null if its weekly hours do not close within two years, or if it never opens
 */
export function closesAt(hours: ZonedHours, at: Date): Date | null {
  const time = at.getTime();
  const last = lastDate(hours, time);
  for (const { end } of joined(spansFrom(hours, time, last))) {
    return end < closingInstant(last, END_OF_DAY, hours.timezone) ? new Date(end) : null;
  }
  return null;
}

/** The periods within a range of time, sorted and joined across midnight. Those at its ends are cut off there. */
export function openPeriods(hours: ZonedHours, from: Date, to: Date): OpenPeriod[] {
  const [first, last] = [from.getTime(), to.getTime()];
  return [...joined(spansFrom(hours, first, localDate(hours, last)))]
    .map(({ start, end }) => ({ start: Math.max(start, first), end: Math.min(end, last) }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ opens_at: new Date(start), closes_at: new Date(end) }));
}

/** The spans that end after `time`, in their order, until the end of the local day `last`. */
function* spansFrom(hours: ZonedHours, time: number, last: string): Generator<Span> {
  const zone = hours.timezone;
  for (const { from, to } of wallSpans(hours, localDate(hours, time), last)) {
    const end = closingInstant(to.date, to.time, zone);
    const span = end > time && { start: openingInstant(from.date, from.time, zone), end };
    if (span && span.start < end) yield span;
  }
}

/** The local times at which the department opens and closes, from one day to another. Days are joined at midnight. */
function* wallSpans(hours: ZonedHours, first: string, last: string): Generator<WallSpan> {
  const exceptions = new Map(hours.exceptions.map(({ date, intervals }) => [date, intervals]));
  let current: WallSpan | undefined;
  for (const day of daysWithHours(hours, first, last)) {
    const date = isoDate(day);
    const intervals = exceptions.get(date) ?? weeklyIntervals(hours, day);
    const [opening] = intervals[0] ?? [];
    const isNextDay = current?.to.date === isoDate(day.minus({ days: 1 }));
    const isJoined = isNextDay && current?.to.time === END_OF_DAY && opening === START_OF_DAY;
    for (const [index, [from, time]] of intervals.entries()) {
      if (current && isJoined && index === 0) {
        current.to = { date, time };
      } else {
        if (current) yield current;
        current = { from: { date, time: from }, to: { date, time } };
      }
    }
    // Nothing joins it any more.
    if (current && current.to.date !== date) {
      yield current;
      current = undefined;
    }
  }
  if (current) yield current;
}

/** All days of the range, or only those of exceptions where the week has no hours: they can be years apart. */
function* daysWithHours(hours: ZonedHours, first: string, last: string): Generator<DateTime> {
  if (hasWeeklyHours(hours)) {
    for (let day = calendarDay(first); isoDate(day) <= last; day = day.plus({ days: 1 })) yield day;
  } else {
    for (const { date } of hours.exceptions) if (date >= first && date <= last) yield calendarDay(date);
  }
}

const hasWeeklyHours = ({ weekly }: ZonedHours): boolean =>
  WEEKDAYS.some((weekday) => weekly[weekday].length > 0);

function weeklyIntervals({ weekly }: ZonedHours, day: DateTime): WallInterval[] {
  const weekday = WEEKDAYS[day.weekday - 1];
  return weekday ? weekly[weekday] : [];
}

/** Joins spans that touch, also because clocks skip the time between them, or overlap because they go back. */
function* joined(spans: Iterable<Span>): Generator<Span> {
  let current: Span | undefined;
  for (const span of spans) {
    if (current && span.start <= current.end) {
      current.end = Math.max(current.end, span.end);
    } else {
      if (current) yield current;
      current = { ...span };
    }
  }
  if (current) yield current;
}

/** The last day on which a search may find something that the days before it do not show. */
function lastDate(hours: ZonedHours, time: number): string {
  const today = calendarDay(localDate(hours, time));
  const limit = isoDate(today.plus({ days: MAX_LOOKAHEAD_DAYS }));
  const isWithin = (date: string) => date > isoDate(today) && (!hasWeeklyHours(hours) || date <= limit);
  const exception = hours.exceptions.findLast(({ date }) => isWithin(date));
  return isoDate((exception ? calendarDay(exception.date) : today).plus({ days: REGULAR_DAYS }));
}

/** Days are counted in UTC, where no day is skipped or repeated. */
const calendarDay = (date: string): DateTime => DateTime.fromISO(date, { zone: 'utc' });

const isoDate = (day: DateTime): string => day.toISODate() ?? '';

const localDate = ({ timezone }: Pick<ZonedHours, 'timezone'>, time: number): string =>
  isoDate(DateTime.fromMillis(time, { zone: timezone }));
