import { wallTimeOf, type WallTime } from '../../ui/wall-time';
import type { Appointment, AppointmentStatus } from './use-appointments';

/** Of the calendar. Its times have no zone: they are those of a clock on the wall. */
export interface CalendarEvent {
  id: string;
  start: WallTime;
  end: WallTime;
  title: string;
  editable: boolean;
  className: string;
}

/** In these statuses an appointment blocks its agent's time and can still be changed. */
export const isLive = (status: AppointmentStatus): boolean =>
  status === 'scheduled' || status === 'confirmed';

/** @param describe what stands in the event, besides its time */
export function eventsOf(
  appointments: readonly Appointment[],
  zone: string,
  describe: (appointment: Appointment) => string,
): CalendarEvent[] {
  return appointments.map((appointment) => ({
    id: appointment.id,
    start: wallTimeOf(appointment.starts_at, zone),
    end: wallTimeOf(appointment.ends_at, zone),
    title: describe(appointment),
    editable: isLive(appointment.status),
    className: `appointment-${appointment.status}`,
  }));
}

const padded = (value: number): string => value.toString().padStart(2, '0');

/** @param date of the calendar: what a clock shows, as if in the zone of the browser */
export function wallTimeFrom(date: Date): WallTime {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(padded).join('-');
  return `${day}T${padded(date.getHours())}:${padded(date.getMinutes())}`;
}

/** @returns the times of a new appointment: the next full hour, for half an hour */
export function nextHour(now: WallTime): WallTime {
  const hour = new Date(Date.parse(`${now.slice(0, 13)}:00Z`) + 3_600_000);
  return hour.toISOString().slice(0, 16);
}
