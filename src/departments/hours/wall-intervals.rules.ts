import { END_OF_DAY, type WallInterval } from './opening-hours';

export const MAX_INTERVALS = 12;

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** What is wrong with the hours of a day, as it follows the name of a field; undefined if nothing is. */
export function problemOfIntervals(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of pairs of times, such as [["09:00", "17:30"]]';
  if (value.length > MAX_INTERVALS) return `must contain at most ${MAX_INTERVALS} items`;
  if (!value.every(isPair)) {
    return 'must consist of pairs of times from "00:00" to "23:59"; the second may be "24:00"';
  }
  if (value.some(([from, to]) => from >= to)) {
    return 'must consist of times that end after they begin; hours after midnight belong to the next day';
  }
  const sorted = sortIntervals(value);
  const overlaps = sorted.some(([from], index) => from < (sorted[index - 1]?.[1] ?? ''));
  return overlaps ? 'must not contain times that overlap' : undefined;
}

/** Times of this form are compared as texts. */
export const sortIntervals = (intervals: readonly WallInterval[]): WallInterval[] =>
  intervals.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));

function isPair(value: unknown): value is WallInterval {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as unknown[];
  return isTime(from) && (to === END_OF_DAY || isTime(to));
}

const isTime = (value: unknown): boolean => typeof value === 'string' && TIME.test(value);
