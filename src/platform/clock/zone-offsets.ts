import { offsetsOf, ZONES_VERSION } from './time-zone';

/** Before the first call of any installation. */
const FROM = Date.UTC(2000, 0);
/** Later times have the last offset. More offsets would not fit into a row that is not compressed. */
const UNTIL = Date.UTC(2060, 0);

/**
 * SQL of the local time of a moment, without a zone. Only Node's time zones decide about days and hours: those of
 * PostgreSQL can be of another version, and it takes some names, such as CET, for a fixed offset.
 * @param zone a row of timezone_offsets
 */
export const localTime = (moment: string, zone = 'z'): string =>
  `(${moment} AT TIME ZONE 'UTC' + make_interval(secs => ${zone}.offsets[width_bucket(${moment}, ${zone}.starts)]))`;

/** Stores the offsets of a time zone, unless a newer version of Node's has done so. @param name in lower case */
export function storedOffsets(name: string): { text: string; values: unknown[] } {
  const periods = offsetsOf(name, FROM, UNTIL);
  const starts = periods.map(({ since }, index) => (index === 0 ? '-infinity' : isoTime(since)));
  // The local time at which the next period begins.
  const localEnds = periods
    .slice(1)
    .map(({ since }, index) => isoTime(since + (periods[index]?.offset ?? 0) * 60_000).replace('Z', ''));
  return {
    text: `INSERT INTO timezone_offsets AS z (name, version, starts, offsets, local_ends) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (name) DO UPDATE SET version = excluded.version, starts = excluded.starts,
        offsets = excluded.offsets, local_ends = excluded.local_ends,
        stored_at = CASE WHEN (z.starts, z.offsets) = (excluded.starts, excluded.offsets) THEN z.stored_at ELSE now() END
      WHERE z.version < excluded.version`,
    values: [name, ZONES_VERSION, starts, periods.map(({ offset }) => offset * 60), localEnds],
  };
}

const isoTime = (time: number): string => new Date(time).toISOString();
