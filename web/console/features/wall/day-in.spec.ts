import { dayIn } from './day-in';

it.each([
  ['UTC', '2026-02-01'],
  ['America/Sao_Paulo', '2026-01-31'],
  ['Asia/Tokyo', '2026-02-01'],
])('in %s it is %s', (zone, day) => {
  expect(dayIn(zone, new Date('2026-02-01T02:30:00Z'))).toBe(day);
});
