import { DateTime } from 'luxon';
import { unprocessable } from '../../platform/http/errors/api-error';
import { type OpeningHours, type ZonedHours, zonedHours } from './opening-hours';
import { closesAt, isOpen, openPeriods, opensAt } from './opening-hours.rules';

/** The hours of a department, as statements read them. */
export interface HoursRow {
  opening_hours: OpeningHours | null;
  /** Null for a department without hours. */
  tenant_timezone: string | null;
}

/** The columns of HoursRow, of `departments d`. The company is read only if the department has hours. */
export const HOURS_SQL = `d.opening_hours, CASE WHEN d.opening_hours IS NOT NULL THEN (
  SELECT t.timezone FROM tenants t WHERE t.id = d.tenant_id) END AS tenant_timezone`;

/** @returns null for a department that is always open */
export const hoursOf = ({ opening_hours, tenant_timezone }: HoursRow): ZonedHours | null =>
  opening_hours && zonedHours(opening_hours, tenant_timezone ?? 'UTC');

/** As opennessAt, without the next change, which takes much longer to find. */
export function isOpenAt(row: HoursRow, at: Date): boolean {
  const hours = hoursOf(row);
  return !hours || isOpen(hours, at);
}

/** When a closed department opens; null if it never does. */
export function nextOpening(row: HoursRow, at: Date): Date | null {
  const hours = hoursOf(row);
  return hours && opensAt(hours, at);
}

/** Whether a department is open, and when it opens and closes next. */
export interface Openness {
  open: boolean;
  /** ISO 8601; null while it is open, or if it never opens. */
  opens_at: string | null;
  /** ISO 8601: the end of the period that is open, or of the next one; null if it never closes, or never opens. */
  closes_at: string | null;
}

export const ALWAYS_OPEN: Openness = { open: true, opens_at: null, closes_at: null };

/** @param hours null for a department that is always open */
export function opennessAt(hours: ZonedHours | null, at: Date): Openness {
  if (!hours) return ALWAYS_OPEN;
  const open = isOpen(hours, at);
  const opening = open ? null : opensAt(hours, at);
  const closing = open || opening ? closesAt(hours, at) : null;
  return {
    open,
    opens_at: opening?.toISOString() ?? null,
    closes_at: closing?.toISOString() ?? null,
  };
}

/** When the department opens or closes next; null if never. */
export function changesAt({ open, opens_at, closes_at }: Openness): Date | null {
  const at = open ? closes_at : opens_at;
  return at === null ? null : new Date(at);
}

/** How far back the opening of a period is searched. */
const LOOKBACK_MS = 7 * 24 * 60 * 60_000;

/**
 * Since when the department is open without interruption, but at most a week.
 * @returns null while it is closed, and for a department that is always open
 */
export function openSince(row: HoursRow, at: Date): Date | null {
  const hours = hoursOf(row);
  if (!hours || !isOpen(hours, at)) return null;
  // A period ends exclusively, so that one which begins at this moment is found, too.
  const until = new Date(at.getTime() + 1);
  return openPeriods(hours, new Date(at.getTime() - LOOKBACK_MS), until).at(-1)?.opens_at ?? null;
}

/**
 * @param orLater whether it is enough that the department opens at some time
 * @throws 422 department_closed, with `opens_at` beside the code
 */
export function ensureOpen(row: HoursRow, at: Date, orLater = false): void {
  const hours = hoursOf(row);
  if (!hours || isOpen(hours, at)) return;
  const opening = opensAt(hours, at);
  if (opening && orLater) return;
  const zone = hours.timezone;
  const until = opening
    ? ` until ${DateTime.fromJSDate(opening, { zone }).toFormat("yyyy-MM-dd 'at' HH:mm")} (${zone})`
    : '';
  throw unprocessable('department_closed', `The department is closed${until}.`, undefined, {
    opens_at: opening?.toISOString() ?? null,
  });
}
