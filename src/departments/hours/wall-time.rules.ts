import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';
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

function instantsOf(date: string, time: string, name: string): number[] {
  const wall = DateTime.fromISO(`${date}T${time}`, { zone: 'utc' });
  const zone = IANAZone.create(name);
  const [before, after] = [wall.minus({ days: 1 }), wall.plus({ days: 1 })].map((day) =>
    zone.offset(day.toMillis()),
  );
  // Clocks do not change about this time, as on most days. In the zone itself luxon would compute the offset several times.
  if (before === after) return [inZone(wall, FixedOffsetZone.instance(after ?? 0)).toMillis()];
  // Luxon moves a time that clocks skip by as much as they skip.
  const local = inZone(wall, zone);
  const skipped = inZone(local, FixedOffsetZone.utcInstance).diff(wall);
  if (skipped.toMillis() > 0) return [changeOfOffset(zone, local.minus(skipped), local)];
  return local.getPossibleOffsets().map((moment) => moment.toMillis());
}

/** The same local time in another zone. */
const inZone = (local: DateTime, zone: IANAZone | FixedOffsetZone): DateTime =>
  local.setZone(zone, { keepLocalTime: true });

/**
 * The first millisecond with the offset of `after`, given that the offset changes once since `before`. Luxon does not say
 * when a zone changes its clocks, so it is searched for.
 */
function changeOfOffset(zone: IANAZone, before: DateTime, after: DateTime): number {
  const offset = zone.offset(after.toMillis());
  let [low, high] = [before.toMillis(), after.toMillis()];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offset(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}
