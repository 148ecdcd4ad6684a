import { datesOf, intervalOf, problemOf } from './period';

describe('the period of a report', () => {
  const own = { from: '2026-01-05', to: '2026-01-06' };

  it.each([
    ['today', { date_from: '2026-03-01', date_to: '2026-03-01' }],
    ['yesterday', { date_from: '2026-02-28', date_to: '2026-02-28' }],
    ['week', { date_from: '2026-02-23', date_to: '2026-03-01' }],
    ['days30', {}],
    ['month', { date_from: '2026-03-01', date_to: '2026-03-01' }],
    ['own', { date_from: '2026-01-05', date_to: '2026-01-06' }],
  ] as const)('%s is %j', (period, dates) => {
    expect(datesOf(period, '2026-03-01', own)).toEqual(dates);
  });

  it.each([
    ['2026-01-05', '', 'incomplete'],
    ['2026-01-05', '2026-01-04', 'reversed'],
    ['2026-01-05', '2026-01-05', null],
    ['2023-01-01', '2025-12-31', null],
    ['2023-01-01', '2026-01-01', 'too_long'],
  ])('from %s to %s is %s', (from, to, problem) => {
    expect(problemOf({ from, to })).toBe(problem);
  });

  it.each([
    ['2026-01-01', '2026-01-31', 'day'],
    ['2026-01-01', '2026-06-30', 'week'],
    ['2024-01-01', '2026-06-30', 'month'],
  ])('from %s to %s it is shown by %s', (first, last, interval) => {
    expect(intervalOf(first, last)).toBe(interval);
  });
});
