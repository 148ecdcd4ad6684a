import { validateSync } from 'class-validator';
import { DateFilter, startOfRange, endOfRange } from './date-filter';

class Query {
  @DateFilter('from then on')
  date_from?: string;
}

function isValid(date: unknown): boolean {
  return validateSync(Object.assign(new Query(), { date_from: date })).length === 0;
}

describe('DateFilter', () => {
  it.each([
    '2026-01-31',
    '2024-02-29',
    '2026-01-31T12:00',
    '2026-01-31T12:00:30',
    '2026-01-31T12:00:30.123Z',
    '2026-01-31T12:00:30+02:00',
    '2026-01-31T12:00:30-0300',
    undefined,
  ])('accepts %s', (date) => {
    expect(isValid(date)).toBe(true);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-1-1',
    '20260131',
    '2026-W05-1',
    '2026-031',
    '2026-01',
    '2026',
    '+002026-01-01',
    '-2026-01-01',
    '2026-01-31 12:00:00',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:00:00 02:00',
    '2026-01-31T12:00:00Z; DROP TABLE calls',
    '2026-01-31\n',
    1_769_817_600_000,
    ['2026-01-31'],
    {},
  ])('rejects %j', (date) => {
    expect(isValid(date)).toBe(false);
  });
});

describe('the range', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.001Z'],
    ['2026-01-31T12:00:30.123', '2026-01-31T12:00:30.123Z', '2026-01-31T12:00:30.124Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.001Z'],
    ['2026-01-31T23:30:00-03:00', '2026-02-01T02:30:00.000Z', '2026-02-01T02:30:00.001Z'],
    ['2026-01-31T12:00:00+0200', '2026-01-31T10:00:00.000Z', '2026-01-31T10:00:00.001Z'],
  ])('of %s starts at %s and ends at %s', (date, from, until) => {
    expect(startOfRange(date)?.toISOString()).toBe(from);
    expect(endOfRange(date)?.toISOString()).toBe(until);
  });

  it('is open without dates', () => {
    expect([startOfRange(undefined), endOfRange(undefined)]).toEqual([undefined, undefined]);
  });
});
