import { IANAZone } from 'luxon';
import { changeOfOffset } from '../platform/clock/time-zone';

/** The version of the time zone database of this Node, such as 2026c. */
export const ZONES_VERSION = process.versions.tz ?? process.versions.icu ?? '';

/** A time during which the offset of a zone does not change: from `since` on, in milliseconds, until the next one. */
interface OffsetPeriod {
  since: number;
  /** Minutes ahead of UTC. */
  offset: number;
}

const MINUTE_MS = 60_000;

/** Shorter than any time between two changes of a zone's offset since 2000: Recife had summer time for a week. */
const SEARCH_STEP_MS = 6 * 24 * 60 * MINUTE_MS;

/** The offsets of a zone between two whole minutes since 2000, in order; the first one applies from `from` on. */
export function offsetsOf(timezone: string, from: number, until: number): OffsetPeriod[] {
  const zone = IANAZone.create(timezone);
  const periods = [{ since: from, offset: zone.offset(from) }];
  for (let before = from; before < until; before += SEARCH_STEP_MS) {
    const after = Math.min(before + SEARCH_STEP_MS, until);
    const offset = zone.offset(after);
    if (offset !== periods.at(-1)?.offset)
      periods.push({ since: changeOfOffset(zone, before, after, MINUTE_MS), offset });
  }
  return periods;
}

/** Before the first call of any installation. */
const FROM = Date.UTC(2000, 0);
/** Later times have the last offset. More offsets would not fit into a row that is not compressed. */
const UNTIL = Date.UTC(2060, 0);

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
