import type { WallInterval } from './opening-hours';
import { MAX_INTERVALS, problemOfIntervals, sortIntervals } from './wall-intervals.rules';

const many = (count: number) =>
  Array.from({ length: count }, (_, hour) => {
    const text = String(hour).padStart(2, '0');
    return [`${text}:00`, `${text}:30`];
  });

it.each([
  [[]],
  [[['09:00', '12:00']]],
  [[['00:00', '24:00']]],
  [[['23:59', '24:00']]],
  // Neither touching nor unsorted hours are refused.
  [
    [
      ['13:00', '18:00'],
      ['09:00', '13:00'],
    ],
  ],
  [many(MAX_INTERVALS)],
])('%j is valid', (intervals) => {
  expect(problemOfIntervals(intervals)).toBeUndefined();
});

it.each<[unknown, string]>([
  [undefined, 'must be a list'],
  [null, 'must be a list'],
  ['09:00-12:00', 'must be a list'],
  [{ 0: ['09:00', '12:00'] }, 'must be a list'],
  [['09:00', '12:00'], 'pairs'],
  [[null], 'pairs'],
  [[['09:00']], 'pairs'],
  [[['09:00', '12:00', '13:00']], 'pairs'],
  [[[9, 12]], 'pairs'],
  [[['9:00', '12:00']], 'pairs'],
  [[['09:00:00', '12:00']], 'pairs'],
  [[['09:60', '12:00']], 'pairs'],
  [[['09:00', '24:01']], 'pairs'],
  [[['24:00', '24:00']], 'pairs'],
  [[['09:00', '12:00\n']], 'pairs'],
  [[['12:00', '12:00']], 'end after they begin'],
  [[['22:00', '02:00']], 'end after they begin'],
  [
    [
      ['09:00', '12:00'],
      ['11:59', '18:00'],
    ],
    'overlap',
  ],
  [
    [
      ['13:00', '14:00'],
      ['09:00', '18:00'],
    ],
    'overlap',
  ],
  [many(MAX_INTERVALS + 1), 'at most 12'],
])('%j is refused', (intervals, problem) => {
  expect(problemOfIntervals(intervals)).toContain(problem);
});

it('sorts hours without changing the given array', () => {
  const intervals: WallInterval[] = [
    ['13:00', '18:00'],
    ['09:00', '12:00'],
  ];
  expect(sortIntervals(intervals)).toEqual(intervals.toReversed());
  expect(intervals[0]).toEqual(['13:00', '18:00']);
});
