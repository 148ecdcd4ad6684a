import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';

/** ICU also knows abbreviations and SystemV/EST5, which are no IANA names. */
const NAME =
  /^(?!systemv\/)([a-z]{2}|[a-z]{4,}|[a-z]+[^a-z].*|cet|eet|est|gmt|hst|met|mst|prc|roc|rok|uct|utc|wet)$/i;

/** Whether the name, in any case, is an IANA name of a time zone. An offset such as +03:00, which Intl also takes, is none. */
export const isTimezone = (name: string): boolean => NAME.test(name) && IANAZone.isValidZone(name);

/**
 * When a local time is reached, in milliseconds since 1970: twice, in order, where clocks go back. A time that clocks skip
 * is reached when they are put forward.
 * @param date YYYY-MM-DD
 * @param time "00:00" to "24:00"
 * @param name the IANA name of a time zone
 */
export function instantsOf(date: string, time: string, name: string): number[] {
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
  if (skipped.toMillis() > 0)
    return [changeOfOffset(zone, local.minus(skipped).toMillis(), local.toMillis())];
  return local
    .getPossibleOffsets()
    .map((moment) => moment.toMillis())
    .toSorted((one, other) => one - other);
}

/** When a day begins: with the first occurrence of its midnight, or, if clocks skip that, when they are put forward. */
export const startOfDay = (date: string, timezone: string): Date =>
  new Date(instantsOf(date, '00:00', timezone)[0] ?? Number.NaN);

/** When a day ends, exclusive: when the next one begins. */
export const endOfDay = (date: string, timezone: string): Date =>
  new Date(instantsOf(date, '24:00', timezone)[0] ?? Number.NaN);

/** The day of a moment in a time zone, YYYY-MM-DD. */
export const dayOf = (moment: Date, timezone: string): string =>
  DateTime.fromJSDate(moment, { zone: timezone }).toISODate() ?? '';

/** The same local time in another zone. */
const inZone = (local: DateTime, zone: IANAZone | FixedOffsetZone): DateTime =>
  local.setZone(zone, { keepLocalTime: true });

/**
 * The first moment with the offset of `after`, given that the offset changes once since `before`. Luxon does not say when a
 * zone changes its clocks, so it is searched for.
 * @param unit the change, and the distance of the two moments, are multiples of it
 */
export function changeOfOffset(zone: IANAZone, before: number, after: number, unit = 1): number {
  const offset = zone.offset(after);
  let [low, high] = [before, after];
  while (high - low > unit) {
    const middle = low + Math.floor((high - low) / 2 / unit) * unit;
    if (zone.offset(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * SQL of the local time of a moment, without a zone. Only Node's time zones decide about days and hours: those of
 * PostgreSQL can be of another version, and it takes some names, such as CET, for a fixed offset.
 * @param zone a row of timezone_offsets
 */
export const localTime = (moment: string, zone = 'z'): string =>
  `(${moment} AT TIME ZONE 'UTC' + make_interval(secs => ${zone}.offsets[width_bucket(${moment}, ${zone}.starts)]))`;
