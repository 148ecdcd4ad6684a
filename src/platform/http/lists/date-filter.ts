import { IsISO8601, Matches } from 'class-validator';
import { isDateOnly, ISO_TIMESTAMP, parseTimestamp } from '../input/timestamp';
import { QueryFilter } from './query-filters';

const DAY_MS = 86_400_000;

/** A query parameter that limits a list by time. */
export function DateFilter(description: string): PropertyDecorator {
  return QueryFilter(
    { description: `ISO 8601: ${description}`, example: '2026-01-31' },
    Matches(ISO_TIMESTAMP, { message: '$property must be an ISO 8601 date' }),
    IsISO8601({ strict: true }, { message: '$property must be an ISO 8601 date' }),
  );
}

/** The inclusive start of the range that `date_from` begins. */
export function startOfRange(date: string | undefined): Date | undefined {
  return date === undefined ? undefined : parseTimestamp(date);
}

/** The exclusive end of the range that `date_to` ends; a date without a time includes its whole UTC day. */
export function endOfRange(date: string | undefined): Date | undefined {
  if (date === undefined) return undefined;
  return new Date(parseTimestamp(date).getTime() + (isDateOnly(date) ? DAY_MS : 1));
}
