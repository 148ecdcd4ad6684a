import { invalidField } from '../platform/http/errors/api-error';
import { parseTimestamp } from '../platform/http/input/timestamp';
import type { CreateAppointmentDto, UpdateAppointmentDto } from './appointment.dto';
import type { Appointment } from './appointment.entity';
import { type AppointmentTimes, validateTimes } from './appointment.rules';

/** Parses the times of a new appointment. @throws 422 for times that are not valid */
export function parseTimes(input: CreateAppointmentDto): AppointmentTimes {
  const times = { starts_at: parseTimestamp(input.starts_at), ends_at: parseTimestamp(input.ends_at) };
  ensureValidTimes(times);
  return times;
}

/** Returns the fields that an update sets; undefined fields are omitted. @throws 422 for a required one that is null */
export function parseChanges(input: UpdateAppointmentDto): Partial<Appointment> {
  const { starts_at, ends_at, confirm: _confirm, ...others } = input;
  // The DTO of an update makes every field nullable.
  for (const field of ['user_id', 'starts_at', 'ends_at'] as const) {
    if (input[field] === null) throw invalidField(field, 'is required');
  }
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Partial<Appointment>),
    ...(starts_at && { starts_at: parseTimestamp(starts_at) }),
    ...(ends_at && { ends_at: parseTimestamp(ends_at) }),
  };
}

/** @throws 422 */
export function ensureValidTimes(times: AppointmentTimes): void {
  const error = validateTimes(times);
  if (error) throw invalidField(error.field, error.message);
}
