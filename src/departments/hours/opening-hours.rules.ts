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

/** Two weeks: a weekly interval may be one that clocks skip in the first of them. */
const REGULAR_DAYS = 15;

/** Whether the department is open at this moment. */
export function isOpen(hours: ZonedHours, at: Date): boolean {
  const time = at.getTime();
  const today = localDate(hours, time);
  for (const { start } of spansFrom(hours, time, daysBetween(hours, today, today)))
    if (start <= time) return true;
  return false;
}

/**
 * The first moment from `at` on at which the department is open: `at` itself if it is open then.
 * @returns null if it never opens
 */
export function opensAt(hours: ZonedHours, at: Date): Date | null {
  if (isOpen(hours, at)) return at;
  const time = at.getTime();
  for (const { start } of spansFrom(hours, time, daysAhead(hours, localDate(hours, time))))
    return new Date(start);
  return null;
}

/**
 * When the department closes next: the end of the period that `at` is in, otherwise of the next one. Periods are joined
 * across midnight.
 * @returns null if it never closes, or never opens
 */
export function closesAt(hours: ZonedHours, at: Date): Date | null {
  const time = at.getTime();
  const today = localDate(hours, time);
  for (const { end } of joined(spansFrom(hours, time, daysAhead(hours, today)))) {
    const last = [today, hours.exceptions.at(-1)?.date ?? today].toSorted()[1] ?? today;
    // After its last exception, nothing closes a department whose week has no closed hour.
    const isEndless = isAlwaysOpen(hours) && end > closingInstant(last, END_OF_DAY, hours.timezone);
    return isEndless ? null : new Date(end);
  }
  return null;
}

/** The periods within a range of time, sorted and joined across midnight. Those at its ends are cut off there. */
export function openPeriods(hours: ZonedHours, from: Date, to: Date): OpenPeriod[] {
  const [first, last] = [from.getTime(), to.getTime()];
  const days = daysBetween(hours, localDate(hours, first), localDate(hours, last));
  return [...joined(spansFrom(hours, first, days))]
    .map(({ start, end }) => ({ start: Math.max(start, first), end: Math.min(end, last) }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ opens_at: new Date(start), closes_at: new Date(end) }));
}

/** The spans of these local days that end after `time`, in their order. */
function* spansFrom(hours: ZonedHours, time: number, days: Iterable<DateTime>): Generator<Span> {
  const zone = hours.timezone;
  for (const { from, to } of wallSpans(hours, days)) {
    const end = closingInstant(to.date, to.time, zone);
    const span = end > time && { start: openingInstant(from.date, from.time, zone), end };
    if (span && span.start < end) yield span;
  }
}

/**
 * The local times at which the department opens and closes on these days, which are joined at midnight. If it is always open,
 * it is so on the days that are left out.
 */
function* wallSpans(hours: ZonedHours, days: Iterable<DateTime>): Generator<WallSpan> {
  const exceptions = new Map(hours.exceptions.map(({ date, intervals }) => [date, intervals]));
  const isOpenBetween = isAlwaysOpen(hours);
  let current: WallSpan | undefined;
  for (const day of days) {
    const date = isoDate(day);
    const intervals = exceptions.get(date) ?? weeklyIntervals(hours, day);
    const [opening] = intervals[0] ?? [];
    const dayBefore = isoDate(day.minus({ days: 1 }));
    if (isOpenBetween && current?.to.time === END_OF_DAY) current.to.date = dayBefore;
    const isNextDay = current?.to.date === dayBefore;
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

/** All days of the range, or only those of exceptions where the week has no hours. */
function* daysBetween(hours: ZonedHours, first: string, last: string): Generator<DateTime> {
  if (hasWeeklyHours(hours)) {
    for (let day = calendarDay(first); isoDate(day) <= last; day = day.plus({ days: 1 })) yield day;
  } else {
    for (const { date } of hours.exceptions) if (date >= first && date <= last) yield calendarDay(date);
  }
}

/**
 * The days from `first` on that show when the department opens and closes next, however far its exceptions are: without
 * those that are like the days before them.
 */
function* daysAhead(hours: ZonedHours, first: string): Generator<DateTime> {
  const exceptions = hours.exceptions.map(({ date }) => date).filter((date) => date >= first);
  if (!hasWeeklyHours(hours)) {
    for (const date of exceptions) yield calendarDay(date);
    return;
  }
  const regularDays = isAlwaysOpen(hours) ? 1 : REGULAR_DAYS;
  let start = first;
  for (const date of [...exceptions, undefined]) {
    const end = isoDate(calendarDay(start).plus({ days: regularDays }));
    const isNear = date !== undefined && date <= end;
    yield* daysBetween(hours, start, isNear ? isoDate(calendarDay(date).minus({ days: 1 })) : end);
    if (date === undefined) return;
    yield calendarDay(date);
    start = isoDate(calendarDay(date).plus({ days: 1 }));
  }
}

const hasWeeklyHours = ({ weekly }: ZonedHours): boolean =>
  WEEKDAYS.some((weekday) => weekly[weekday].length > 0);

/** Whether the week has no hour at which it is closed. */
const isAlwaysOpen = ({ weekly }: ZonedHours): boolean =>
  WEEKDAYS.every((weekday) => {
    const intervals = weekly[weekday];
    const ends = [START_OF_DAY, ...intervals.map(([, to]) => to)];
    return ends.at(-1) === END_OF_DAY && intervals.every(([from], index) => from === ends[index]);
  });

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

/** Days are counted in UTC, where no day is skipped or repeated. */
const calendarDay = (date: string): DateTime => DateTime.fromISO(date, { zone: 'utc' });

const isoDate = (day: DateTime): string => day.toISODate() ?? '';

const localDate = ({ timezone }: Pick<ZonedHours, 'timezone'>, time: number): string =>
  isoDate(DateTime.fromMillis(time, { zone: timezone }));
