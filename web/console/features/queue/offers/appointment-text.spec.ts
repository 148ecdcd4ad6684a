import en from '../texts/en';
import { appointmentText } from './appointment-text';

it.each([
  ['America/Sao_Paulo', '2026-03-02T17:00:00Z', 'Appointment at 14:00: Renewal'],
  // The evening of the second in Brazil, and the third in UTC.
  ['America/Sao_Paulo', '2026-03-03T01:00:00Z', 'Appointment at 22:00: Renewal'],
  ['America/Sao_Paulo', '2026-03-03T12:00:00Z', 'Appointment on 3 Mar 2026, 09:00: Renewal'],
  ['Asia/Tokyo', '2026-03-02T17:00:00Z', 'Appointment at 02:00: Renewal'],
])('in %s the appointment of %s is announced as: %s', (zone, starts_at, text) => {
  const now = Date.parse('2026-03-02T16:00:00Z');
  const appointment = { id: 'a', starts_at, title: 'Renewal' } as Parameters<typeof appointmentText>[0];
  expect(appointmentText(appointment, en.offer, { language: 'en', zone, now })).toBe(text);
});
