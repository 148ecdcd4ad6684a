import { DateTime } from 'luxon';
import { badRequest } from '../../platform/http/errors/api-error';
import { isDateOnly } from '../../platform/http/input/timestamp';
import { END_OF_DAY, START_OF_DAY } from './opening-hours';
import { closingInstant, openingInstant } from './wall-time.rules';

export const MAX_RANGE_DAYS = 93;
const DEFAULT_RANGE_DAYS = 7;
/** Later dates are rejected, because they are probably typing errors. */
const MAX_YEAR = 2199;

/**
 * Parses a range of time in ISO 8601; by default the next seven days. A date without a time is a whole day in `timezone`,
 * and a time without an offset is local to it.
 * @throws 400 for an end that is not after the beginning, and for more than MAX_RANGE_DAYS
 */
export function parseHoursRange(
  requested: { from?: string; to?: string },
  timezone: string,
  now: Date,
): { from: Date; to: Date } {
  const at = (text: string, time: string, instant: typeof openingInstant) =>
    isDateOnly(text)
      ? DateTime.fromMillis(instant(text, time, timezone), { zone: timezone })
      : DateTime.fromISO(text, { zone: timezone });
  const from = requested.from
    ? at(requested.from, START_OF_DAY, openingInstant)
    : DateTime.fromJSDate(now, { zone: timezone });
  const to = requested.to
    ? at(requested.to, END_OF_DAY, closingInstant)
    : from.plus({ days: DEFAULT_RANGE_DAYS });
  if (to.year > MAX_YEAR) throw badRange(`to must not be after ${MAX_YEAR}`);
  if (from >= to) throw badRange('to must be after from');
  if (to.diff(from, 'days').days > MAX_RANGE_DAYS) {
    throw badRange(`to must not be more than ${MAX_RANGE_DAYS} days after from`);
  }
  return { from: from.toJSDate(), to: to.toJSDate() };
}

const badRange = (problem: string) => badRequest(`Bad parameter: ${problem}.`, { to: [problem] });
