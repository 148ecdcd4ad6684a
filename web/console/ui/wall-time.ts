import { shownZone } from '../../shared/zones';

/** Times as a clock on the wall of a zone shows them: `2027-01-31T09:30`, the value of a `DateInput` with a time. */
export type WallTime = string;

const MINUTE_MS = 60_000;
const WALL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: shownZone(zone),
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, known);
  return known;
}

/** @param instant a time, or one in ISO 8601. @param zone its IANA name */
export function wallTimeOf(instant: Date | string, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/** @param zone IANA. @returns the day there, as `2026-01-31` */
export const dayIn = (zone: string, now: Date | number = new Date()): string =>
  wallTimeOf(new Date(now), zone).slice(0, 10);

/** @returns minutes by which the zone is ahead of UTC at that time */
export function zoneOffset(instant: Date, zone: string): number {
  const wall = Date.parse(`${wallTimeOf(instant, zone)}Z`);
  return (wall - Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS) / MINUTE_MS;
}

/**
 * The instant at which a clock in the zone shows this time. Of an hour that the clocks skip: as if they had not been
 * put forward; of one that they repeat: the first one.
 * @returns null for a text that is no time
 */
export function instantOf(wall: WallTime, zone: string): Date | null {
  if (!WALL_TIME.test(wall)) return null;
  const asUtc = Date.parse(`${wall.slice(0, 16)}Z`);
  if (Number.isNaN(asUtc)) return null;
  const day = 24 * 60 * MINUTE_MS;
  const candidates = [asUtc - day, asUtc + day].map(
    (near) => new Date(asUtc - zoneOffset(new Date(near), zone) * MINUTE_MS),
  );
  return (
    candidates.find((instant) => wallTimeOf(instant, zone) === wall.slice(0, 16)) ?? candidates[0] ?? null
  );
}

/** @param minutes may be negative */
export function addMinutes(wall: WallTime, minutes: number): WallTime {
  return new Date(Date.parse(`${wall}Z`) + minutes * MINUTE_MS).toISOString().slice(0, 16);
}
