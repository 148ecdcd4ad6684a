import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DateFilter, timeRangeOf } from './date-filter';

class Query {
  @DateFilter('From then on')
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
    '2026-01-31T12:00:00Z; DROP TABLE calls',
    '2026-01-31\n',
    1_769_817_600_000,
    ['2026-01-31'],
    {},
  ])('rejects %j', (date) => {
    expect(isValid(date)).toBe(false);
  });
});

it.each([
  ['2026-01-31T12:00:00 02:00', '2026-01-31T12:00:00+02:00'],
  ['2026-01-31T12:00 0200', '2026-01-31T12:00+0200'],
  ['2026-01-31 02:00', '2026-01-31 02:00'],
])('reads the space of %s, which a query decodes from a +, as %s', (date_from, read) => {
  expect(plainToInstance(Query, { date_from })).toEqual({ date_from: read });
});

const rangeOf = (date: string, timezone: string) => {
  const { from, until } = timeRangeOf({ date_from: date, date_to: date }, timezone);
  return [from?.toISOString(), until?.toISOString()];
};

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
  ])('of %s starts at %s and ends at %s in UTC', (date, from, until) => {
    expect(rangeOf(date, 'UTC')).toEqual([from, until]);
  });

  it.each([
    ['2026-01-31', 'America/Sao_Paulo', '2026-01-31T03:00:00.000Z', '2026-02-01T03:00:00.000Z'],
    // Clocks are put forward at midnight, and go back to midnight: the day begins when it is its date for the first time.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z', '2025-11-03T05:00:00.000Z'],
    // Samoa skipped this day.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
    ['9999-12-31', 'America/Sao_Paulo', '9999-12-31T03:00:00.000Z', '+010000-01-01T03:00:00.000Z'],
    ['2026-01-31T12:00', 'America/Sao_Paulo', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.001Z'],
  ])('of %s in %s starts at %s and ends at %s', (date, timezone, from, until) => {
    expect(rangeOf(date, timezone)).toEqual([from, until]);
  });

  it('is open without dates', () => {
    expect(timeRangeOf({}, 'America/Sao_Paulo')).toEqual({ from: undefined, until: undefined });
  });
});
