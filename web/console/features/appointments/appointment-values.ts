import { instantOf, type WallTime } from '../../ui/wall-time';
import type { Appointment, Slot } from './use-appointments';

/** What the form holds: times as a clock of its zone shows them, and empty texts for what is null. */
export interface AppointmentValues {
  title: string;
  starts_at: WallTime;
  ends_at: WallTime;
  user_id: string;
  customer_id: string | null;
  department_id: string;
  notes: string;
  /** Whether it is confirmed and the customer invited, too. */
  confirm: boolean;
}

interface Defaults {
  span: { start: WallTime; end: WallTime };
  /** The agent of a new appointment. */
  userId: string;
}

/** @param appointment null for a new one */
export function toValues(appointment: Appointment | null, { span, userId }: Defaults): AppointmentValues {
  return {
    title: appointment?.title ?? '',
    starts_at: span.start,
    ends_at: span.end,
    user_id: appointment?.user_id ?? userId,
    customer_id: appointment?.customer_id ?? null,
    department_id: appointment?.department_id ?? '',
    notes: appointment?.notes ?? '',
    confirm: false,
  };
}

/** @returns what the API takes */
export function toBody(values: AppointmentValues, zone: string) {
  return {
    ...values,
    ...timesOf(values, zone),
    title: values.title || null,
    notes: values.notes || null,
    department_id: values.department_id || null,
  };
}

/** @returns what is wrong with each time; null where nothing is */
export function timeProblems({ starts_at, ends_at }: AppointmentValues, zone: string) {
  const isMissing = (time: WallTime) => instantOf(time, zone) === null;
  return {
    starts_at: isMissing(starts_at) ? ('enterTime' as const) : null,
    ends_at: isMissing(ends_at)
      ? ('enterTime' as const)
      : ends_at > starts_at
        ? null
        : ('endBeforeStart' as const),
  };
}

/** @returns the time that the appointment would take of its agent; null while its times are incomplete */
export function slotOf(
  values: AppointmentValues,
  zone: string,
  appointment: Appointment | null,
): Slot | null {
  const times = timesOf(values, zone);
  if (!times.starts_at || times.ends_at <= times.starts_at) return null;
  return { user_id: values.user_id, ...times, ...(appointment && { exclude_id: appointment.id }) };
}

const timesOf = ({ starts_at, ends_at }: AppointmentValues, zone: string) => ({
  starts_at: instantOf(starts_at, zone)?.toISOString() ?? '',
  ends_at: instantOf(ends_at, zone)?.toISOString() ?? '',
});
