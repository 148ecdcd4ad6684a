import { eventsOf, isLive, nextHour, wallTimeFrom } from './calendar.rules';
import type { Appointment } from './use-appointments';

it('an appointment stands where a clock of the zone shows its time', () => {
  const appointment = {
    id: 'a',
    status: 'confirmed',
    starts_at: '2027-01-31T01:30:00.000Z',
    ends_at: '2027-01-31T02:00:00.000Z',
  } as Appointment;
  expect(eventsOf([appointment], 'America/Sao_Paulo', ({ id }) => `Event ${id}`)).toEqual([
    {
      id: 'a',
      start: '2027-01-30T22:30',
      end: '2027-01-30T23:00',
      title: 'Event a',
      editable: true,
      className: 'appointment-confirmed',
    },
  ]);
});

it.each([
  ['scheduled', true],
  ['confirmed', true],
  ['completed', false],
  ['cancelled', false],
  ['no_show', false],
] as const)('%s: can be changed %p', (status, expected) => {
  expect(isLive(status)).toBe(expected);
});

it.each([
  [new Date(2027, 0, 5, 9, 5), '2027-01-05T09:05'],
  [new Date(2027, 11, 31, 23, 59), '2027-12-31T23:59'],
])('%p of the calendar is %p', (date, wall) => {
  expect(wallTimeFrom(date)).toBe(wall);
});

it.each([
  ['2027-01-31T09:00', '2027-01-31T10:00'],
  ['2027-01-31T23:40', '2027-02-01T00:00'],
])('the hour after %p is %p', (now, next) => {
  expect(nextHour(now)).toBe(next);
});
