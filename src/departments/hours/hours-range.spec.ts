import { parseHoursRange } from './hours-range';

const NOW = new Date('2026-10-24T20:00:00.000Z');
const BERLIN = 'Europe/Berlin';

const parsed = (from?: string, to?: string) => {
  const range = parseHoursRange({ from, to }, BERLIN, NOW);
  return [range.from.toISOString(), range.to.toISOString()];
};

it.each<[string | undefined, string | undefined, string, string]>([
  // A week of 169 hours: clocks go back on the 25th.
  [undefined, undefined, '2026-10-24T20:00:00.000Z', '2026-10-31T21:00:00.000Z'],
  [undefined, '2026-10-24', '2026-10-24T20:00:00.000Z', '2026-10-24T22:00:00.000Z'],
  ['2026-10-25', undefined, '2026-10-24T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ['2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2026-11-01T09:00', '2026-11-01T10:00Z', '2026-11-01T09:00:00.000Z', '2026-11-01T10:00:00.000Z'],
  ['2026-01-01', '2026-04-02T23:59:59', '2025-12-31T23:00:00.000Z', '2026-04-02T23:59:59.000Z'],
])('from %s to %s', (from, to, ...range) => {
  expect(parsed(from, to)).toEqual(range);
});

it.each([
  ['2026-11-02', '2026-11-01', 'must be after from'],
  ['2026-11-01T00:00Z', '2026-11-01T00:00Z', 'must be after from'],
  ['2026-11-01', '2027-02-03', 'at most 93 days'],
  [undefined, '2200-01-01', 'after 2199'],
  ['9999-12-31', undefined, 'after 2199'],
])('refuses from %s to %s', (from, to, problem) => {
  expect(() => parsed(from, to)).toThrow(problem);
});
