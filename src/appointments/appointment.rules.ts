import { type AppointmentStatus, isLive } from './appointment.machine';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const LINK_OPENS_BEFORE_MS = 15 * MINUTE_MS;
const REMINDER_DAY_BEFORE_MS = 24 * HOUR_MS;
const REMINDER_SOON_BEFORE_MS = 15 * MINUTE_MS;
const NO_SHOW_AFTER_MS = 30 * MINUTE_MS;
const MAX_DURATION_HOURS = 24;

const MIN_TIME = new Date('1970-01-01T00:00:00Z');
const MAX_TIME = new Date('9999-12-31T23:59:59.999Z');

export interface AppointmentTimes {
  starts_at: Date;
  ends_at: Date;
}

export interface AppointmentDeadlines {
  reminder_day_deadline: Date | null;
  reminder_soon_deadline: Date | null;
  no_show_deadline: Date | null;
}

/** Fields whose change affects the link and the invitation, so an invited customer is notified. */
export const INVITATION_FIELDS = [
  'department_id',
  'user_id',
  'customer_id',
  'title',
  'starts_at',
  'ends_at',
] as const;

const addMs = (moment: Date, ms: number) => new Date(moment.getTime() + ms);

/** Returns the first problem of the times, or undefined when they are valid. */
export function validateTimes({
  starts_at,
  ends_at,
}: AppointmentTimes): { field: keyof AppointmentTimes; message: string } | undefined {
  if (!isStorable(starts_at))
    return { field: 'starts_at', message: 'must be between the years 1970 and 9999' };
  if (!isStorable(ends_at)) return { field: 'ends_at', message: 'must be between the years 1970 and 9999' };
  if (ends_at <= starts_at) return { field: 'ends_at', message: 'must be after starts_at' };
  if (ends_at > addMs(starts_at, MAX_DURATION_HOURS * HOUR_MS)) {
    return { field: 'ends_at', message: `must be at most ${MAX_DURATION_HOURS} hours after starts_at` };
  }
  return undefined;
}

const isStorable = (moment: Date) => moment >= MIN_TIME && moment <= MAX_TIME;

/** When the appointment's link is valid, and from when its customer has priority in the queue. */
export function linkValidity({ starts_at, ends_at }: AppointmentTimes) {
  return {
    valid_from: addMs(starts_at, -LINK_OPENS_BEFORE_MS),
    priority_from: starts_at,
    expires_at: ends_at,
  };
}

/**
 * Returns the times at which the sweeper has to act. Times in the past are omitted: a late reminder is useless, and a
 * past appointment that is recorded afterwards gets its status from staff.
 */
export function computeDeadlines(
  { status, starts_at }: { status: AppointmentStatus; starts_at: Date },
  now: Date,
): AppointmentDeadlines {
  const unlessPast = (moment: Date) => (moment > now ? moment : null);
  const isConfirmed = status === 'confirmed';
  return {
    reminder_day_deadline: isConfirmed ? unlessPast(addMs(starts_at, -REMINDER_DAY_BEFORE_MS)) : null,
    reminder_soon_deadline: isConfirmed ? unlessPast(addMs(starts_at, -REMINDER_SOON_BEFORE_MS)) : null,
    no_show_deadline: isLive(status) ? unlessPast(addMs(starts_at, NO_SHOW_AFTER_MS)) : null,
  };
}

/** Returns the update that clears the reminder deadlines that have passed. */
export function dueReminderUpdate(
  { reminder_day_deadline, reminder_soon_deadline }: AppointmentDeadlines,
  now: Date,
): Partial<AppointmentDeadlines> {
  const isDue = (deadline: Date | null) => deadline !== null && deadline <= now;
  return {
    ...(isDue(reminder_day_deadline) ? { reminder_day_deadline: null } : {}),
    ...(isDue(reminder_soon_deadline) ? { reminder_soon_deadline: null } : {}),
  };
}
