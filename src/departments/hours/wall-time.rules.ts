import { DateTime, IANAZone } from 'luxon';
import { END_OF_DAY } from './opening-hours';

/**
 * When a local time of opening is reached, in milliseconds since 1970: its first occurrence, where clocks go back. A time
 * that clocks skip is reached when they are put forward.
 * @param date YYYY-MM-DD
 * @param time "00:00" to "24:00"
 * @param zone the IANA name of a time zone
 */
export const openingInstant = (date: string, time: string, zone: string): number =>
  Math.min(...instantsOf(date, time, zone));

/** As openingInstant, for a local time of closing: its last occurrence. "24:00" is the end of the day, which occurs once. */
export const closingInstant = (date: string, time: string, zone: string): number =>
  time === END_OF_DAY ? openingInstant(date, time, zone) : Math.max(...instantsOf(date, time, zone));

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function instantsOf(date: string, time: string, name: string): number[] {
  const wall = DateTime.fromISO(`${date}T${time}`, { zone: 'utc' });
  const zone = IANAZone.create(name);
  const offset = zone.offset(wall.toMillis() - DAY_MS);
  // Clocks do not change about this time, as on most days. Luxon would compute the offset several times.
  if (offset === zone.offset(wall.toMillis() + DAY_MS)) return [wall.toMillis() - offset * MINUTE_MS];
  // Luxon moves a time that clocks skip by as much as they skip.
  const local = wall.setZone(zone, { keepLocalTime: true });
  const skipped = local.setZone('utc', { keepLocalTime: true }).toMillis() - wall.toMillis();
  if (skipped > 0) return [changeOfOffset(zone, local.toMillis() - skipped, local.toMillis())];
  return local.getPossibleOffsets().map((moment) => moment.toMillis());
}

/** The first millisecond with the offset of `after`, given that the offset changes once since `before`. */
function changeOfOffset(zone: IANAZone, before: number, after: number): number {
  const offset = zone.offset(after);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offset(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}
