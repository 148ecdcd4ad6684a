import type { AppointmentStatus } from './appointment.machine';
import { computeDeadlines, dueReminderUpdate, linkValidity, validateTimes } from './appointment.rules';

const at = (text: string) => new Date(`2026-01-${text}Z`);
const NOON = at('31T12:00');

describe('validateTimes', () => {
  it.each([
    ['2026-01-31T12:00Z', '2026-01-31T12:30Z', undefined],
    ['2026-01-31T12:00Z', '2026-02-01T12:00Z', undefined],
    ['1970-01-01T00:00Z', '1970-01-01T00:01Z', undefined],
    ['2026-01-31T12:00Z', '2026-02-01T12:00:00.001Z', 'ends_at'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00Z', 'ends_at'],
    ['2026-01-31T12:00Z', '2026-01-31T11:59Z', 'ends_at'],
    ['1969-12-31T23:59Z', '1970-01-01T00:30Z', 'starts_at'],
    ['0000-01-01T00:00Z', '0000-01-01T00:30Z', 'starts_at'],
    ['9999-12-31T23:59:00-12:00', '9999-12-31T23:59:30-12:00', 'starts_at'],
    ['9999-12-31T23:59Z', '9999-12-31T23:59:00-12:00', 'ends_at'],
    ['nonsense', '2026-01-31T12:30Z', 'starts_at'],
  ])('from %s to %s: %s', (starts_at, ends_at, field) => {
    expect(validateTimes({ starts_at: new Date(starts_at), ends_at: new Date(ends_at) })?.field).toBe(field);
  });
});

it('a link is valid from 15 minutes before the start to the end, with priority from the start', () => {
  expect(linkValidity({ starts_at: NOON, ends_at: at('31T12:30') })).toEqual({
    valid_from: at('31T11:45'),
    priority_from: NOON,
    expires_at: at('31T12:30'),
  });
});

describe('computeDeadlines', () => {
  const [day, soon, noShow] = [at('30T12:00'), at('31T11:45'), at('31T12:30')];

  it.each<[AppointmentStatus, string, Date | null, Date | null, Date | null]>([
    ['scheduled', '29T00:00', null, null, noShow],
    ['confirmed', '29T00:00', day, soon, noShow],
    ['confirmed', '30T11:59', day, soon, noShow],
    ['confirmed', '30T12:00', null, soon, noShow],
    ['confirmed', '31T11:45', null, null, noShow],
    ['confirmed', '31T12:29', null, null, noShow],
    ['confirmed', '31T12:30', null, null, null],
    ['scheduled', '31T13:00', null, null, null],
    ['completed', '29T00:00', null, null, null],
    ['cancelled', '29T00:00', null, null, null],
    ['no_show', '29T00:00', null, null, null],
  ])('%s on %s', (status, now, reminder_day_deadline, reminder_soon_deadline, no_show_deadline) => {
    expect(computeDeadlines({ status, starts_at: NOON }, at(now))).toEqual({
      reminder_day_deadline,
      reminder_soon_deadline,
      no_show_deadline,
    });
  });
});

describe('dueReminderUpdate', () => {
  const pending = computeDeadlines({ status: 'confirmed', starts_at: NOON }, at('29T00:00'));

  it.each([
    ['30T11:59:59.999', {}],
    ['30T12:00', { reminder_day_deadline: null }],
    ['31T11:45', { reminder_day_deadline: null, reminder_soon_deadline: null }],
  ])('at %s', (now, cleared) => {
    expect(dueReminderUpdate(pending, at(now))).toEqual(cleared);
  });

  it('is empty when no reminder is set', () => {
    const none = { reminder_day_deadline: null, reminder_soon_deadline: null, no_show_deadline: NOON };
    expect(dueReminderUpdate(none, at('31T23:00'))).toEqual({});
  });
});
