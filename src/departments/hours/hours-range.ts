import { DateTime } from 'luxon';
import { endOfDay } from '../../platform/clock/time-zone';
import { badParameters } from '../../platform/http/errors/api-error';
import { isDateOnly, parseTimestamp } from '../../platform/http/input/timestamp';
import { startOfRange } from '../../platform/http/lists/date-filter';

export const MAX_RANGE_DAYS = 93;
const DEFAULT_RANGE_DAYS = 7;
/** Later dates are rejected, because they are probably typing errors. */
const MAX_YEAR = 2199;

/**
 * Parses a range of time in ISO 8601; by default the next seven days. A date without a time is a whole day in `timezone`,
 * and a time without an offset is in UTC.
 * @throws 400 for an end that is not after the beginning, and for more than MAX_RANGE_DAYS
 */
export function parseHoursRange(
  requested: { from?: string; to?: string },
  timezone: string,
  now: Date,
): { from: Date; to: Date } {
  const local = (moment: Date) => DateTime.fromJSDate(moment, { zone: timezone });
  const from = local(requested.from ? startOfRange(requested.from, timezone) : now);
  const to = requested.to
    ? local(isDateOnly(requested.to) ? endOfDay(requested.to, timezone) : parseTimestamp(requested.to))
    : from.plus({ days: DEFAULT_RANGE_DAYS });
  if (to.year > MAX_YEAR) throw badRange(`must not be after ${MAX_YEAR}`);
  if (from >= to) throw badRange('must be after from');
  if (to.diff(from, 'days').days > MAX_RANGE_DAYS) {
    throw badRange(`must be at most ${MAX_RANGE_DAYS} days after from`);
  }
  return { from: from.toJSDate(), to: to.toJSDate() };
}

const badRange = (problem: string) => badParameters({ to: [problem] });
