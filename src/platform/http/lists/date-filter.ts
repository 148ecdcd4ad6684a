import { IsISO8601, Matches } from 'class-validator';
import { endOfDay, startOfDay } from '../../clock/time-zone';
import { isDateOnly, ISO_TIMESTAMP, parseTimestamp, PlusForSpace } from '../input/timestamp';
import { QueryFilter } from './query-filters';

/** What a client asks for: dates, or dates with a time. */
export interface DateRange {
  date_from?: string;
  date_to?: string;
}

/** The moments from `from` on, and before `until`. */
export interface TimeRange {
  from?: Date;
  until?: Date;
}

/**
 * A query parameter that limits a list by time. Its text is resolved where the company's time zone is known.
 * @param day what a date without a time is
 */
export function DateFilter(description: string, day = "the company's day (its timezone)"): PropertyDecorator {
  return QueryFilter(
    {
      description: `${description}. ISO 8601: a date is ${day}; a time without an offset, unlike 2026-01-31T09:00:00-03:00, is UTC`,
      example: '2026-01-31',
    },
    PlusForSpace(),
    Matches(ISO_TIMESTAMP, {
      message: 'must be an ISO 8601 date, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    }),
    IsISO8601(
      { strict: true },
      { message: 'must be an ISO 8601 date, such as 2026-01-31 or 2026-01-31T12:00:00Z' },
    ),
  );
}

/** @param timezone in which a date without a time is a day */
export const timeRangeOf = ({ date_from, date_to }: DateRange, timezone: string): TimeRange => ({
  from: date_from === undefined ? undefined : startOfRange(date_from, timezone),
  until: date_to === undefined ? undefined : endOfRange(date_to, timezone),
});

/** The inclusive start of the range that `date_from` begins. */
export const startOfRange = (date: string, timezone: string): Date =>
  isDateOnly(date) ? startOfDay(date, timezone) : parseTimestamp(date);

/** The exclusive end of the range that `date_to` ends: that of its whole day, if it is a date without a time. */
export const endOfRange = (date: string, timezone: string): Date =>
  isDateOnly(date) ? endOfDay(date, timezone) : new Date(parseTimestamp(date).getTime() + 1);
