import { byHour, type HourReport } from './by-hour';

const row = (weekday: number, hour: number, calls: number, average: number | null) =>
  ({
    weekday,
    hour,
    total_calls: calls,
    answered_calls: calls - 1,
    abandoned_calls: calls - 2,
    left_calls: 3 - calls,
    average_calls: average,
  }) as HourReport;

describe('calls by the hour', () => {
  const rows = [row(1, 9, 4, 2), row(2, 9, 2, 1), row(2, 10, 3, null)];

  it.each([
    [0, 9, { hour: 9, total_calls: 6, answered_calls: 4, abandoned_calls: 2, average_calls: 1.5 }],
    [1, 9, { hour: 9, total_calls: 4, answered_calls: 3, abandoned_calls: 1, average_calls: 2 }],
    [2, 10, { hour: 10, total_calls: 3, answered_calls: 2, abandoned_calls: 1, average_calls: null }],
    [3, 9, { hour: 9, total_calls: 0, answered_calls: 0, abandoned_calls: 0, average_calls: null }],
  ])('of weekday %i at %i', (weekday, hour, figures) => {
    const hours = byHour(rows, weekday);
    expect(hours).toHaveLength(24);
    expect(hours[hour]).toEqual(figures);
  });
});
