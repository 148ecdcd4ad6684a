import { slotOf, timeProblems, toBody, toValues } from './appointment-values';
import type { Appointment } from './use-appointments';

const ZONE = 'America/Sao_Paulo';
const span = { start: '2027-01-31T09:00', end: '2027-01-31T09:30' };
const values = toValues(null, { span, userId: 'me' });

it('a new appointment is one of the user, without anything else', () => {
  expect(toBody(values, ZONE)).toEqual({
    title: null,
    starts_at: '2027-01-31T12:00:00.000Z',
    ends_at: '2027-01-31T12:30:00.000Z',
    user_id: 'me',
    customer_id: null,
    confirm: false,
    department_id: null,
    notes: null,
  });
});

it.each([
  [{}, null, null],
  [{ starts_at: '' }, 'enterTime', null],
  [{ ends_at: '' }, null, 'enterTime'],
  [{ ends_at: span.start }, null, 'endBeforeStart'],
])('with %j the times have the problems %s and %s', (change, starts_at, ends_at) => {
  expect(timeProblems({ ...values, ...change }, ZONE)).toEqual({ starts_at, ends_at });
});

it('an appointment is not in its own way', () => {
  const changed = { id: 'a', user_id: 'other' } as Appointment;
  expect(slotOf(toValues(changed, { span, userId: 'me' }), ZONE, changed)).toEqual({
    user_id: 'other',
    starts_at: '2027-01-31T12:00:00.000Z',
    ends_at: '2027-01-31T12:30:00.000Z',
    exclude_id: 'a',
  });
  expect(slotOf({ ...values, ends_at: span.start }, ZONE, null)).toBeNull();
});
