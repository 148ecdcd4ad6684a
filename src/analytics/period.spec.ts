import { previousPeriodStart, parsePeriod, intervalStarts, countWeekHours } from './period';

const NOW = new Date('2026-03-11T02:30:00.000Z');
const SAO_PAULO = 'America/Sao_Paulo';
const NEW_YORK = 'America/New_York';

const parsed = (requested: { date_from?: string; date_to?: string }, timezone: string) => {
  const {
    from,
    until,
    first_day,
    last_day,
    is_whole_days: whole_days,
  } = parsePeriod(requested, timezone, NOW);
  return [from.toISOString(), until.toISOString(), first_day, last_day, whole_days];
};

describe('the period of a report', () => {
  it.each([
    // In São Paulo it is still the 10th.
    [
      'the last 30 days including today',
      {},
      SAO_PAULO,
      ['2026-02-09T03:00:00.000Z', '2026-03-11T03:00:00.000Z', '2026-02-09', '2026-03-10', true],
    ],
    [
      'whole days of the time zone',
      { date_from: '2026-01-01', date_to: '2026-01-31' },
      'Asia/Kolkata',
      ['2025-12-31T18:30:00.000Z', '2026-01-31T18:30:00.000Z', '2026-01-01', '2026-01-31', true],
    ],
    [
      'a day of 23 hours',
      { date_from: '2026-03-08', date_to: '2026-03-08' },
      NEW_YORK,
      ['2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z', '2026-03-08', '2026-03-08', true],
    ],
    [
      'a day of 25 hours',
      { date_from: '2025-11-02', date_to: '2025-11-02' },
      NEW_YORK,
      ['2025-11-02T04:00:00.000Z', '2025-11-03T05:00:00.000Z', '2025-11-02', '2025-11-02', true],
    ],
    [
      'a day that has no midnight',
      { date_from: '2018-11-04', date_to: '2018-11-04' },
      SAO_PAULO,
      ['2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z', '2018-11-04', '2018-11-04', true],
    ],
    [
      'a day with two midnights, from the first one',
      { date_from: '2025-11-02', date_to: '2025-11-02' },
      'America/Havana',
      ['2025-11-02T04:00:00.000Z', '2025-11-03T05:00:00.000Z', '2025-11-02', '2025-11-02', true],
    ],
    [
      'timestamps, including the last one',
      { date_from: '2026-01-01T10:00:00Z', date_to: '2026-01-02T03:00:00.000+01:00' },
      SAO_PAULO,
      ['2026-01-01T10:00:00.000Z', '2026-01-02T02:00:00.001Z', '2026-01-01', '2026-01-01', false],
    ],
    [
      'times without an offset in UTC',
      { date_from: '2026-01-01T10:00', date_to: '2026-01-01' },
      SAO_PAULO,
      ['2026-01-01T10:00:00.000Z', '2026-01-02T03:00:00.000Z', '2026-01-01', '2026-01-01', false],
    ],
    [
      '30 days up to a given day',
      { date_to: '2026-01-31' },
      'UTC',
      ['2026-01-02T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-01-02', '2026-01-31', true],
    ],
    [
      'from a given day to today',
      { date_from: '2026-03-01' },
      'UTC',
      ['2026-03-01T00:00:00.000Z', '2026-03-12T00:00:00.000Z', '2026-03-01', '2026-03-11', true],
    ],
    [
      'from a time of today to its end',
      { date_from: '2026-03-11T10:00:00Z' },
      'UTC',
      ['2026-03-11T10:00:00.000Z', '2026-03-12T00:00:00.000Z', '2026-03-11', '2026-03-11', false],
    ],
    [
      'a single day in the future',
      { date_from: '2026-05-01' },
      'UTC',
      ['2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z', '2026-05-01', '2026-05-01', true],
    ],
  ])('is %s', (_what, requested, timezone, expected) => {
    expect(parsed(requested, timezone)).toEqual(expected);
  });

  it.each([
    ['date_to', { date_from: '2026-02-02', date_to: '2026-02-01' }],
    ['date_to', { date_from: '2026-02-02T10:00:00Z', date_to: '2026-02-02T09:59:59Z' }],
    ['date_from', { date_from: '2020-01-01', date_to: '2026-01-01' }],
    ['date_from', { date_from: '0001-01-01' }],
    ['date_to', { date_from: '9999-12-20', date_to: '9999-12-31' }],
    ['date_to', { date_from: '2200-01-01' }],
  ])('is rejected for its %s: %j', (field, requested) => {
    expect(() => parsePeriod(requested, 'UTC', NOW)).toThrow(
      expect.objectContaining({ status: 400, fields: { [field]: [expect.any(String)] } }),
    );
  });

  it('can be three years long', () => {
    expect(parsed({ date_from: '2023-01-01', date_to: '2025-12-31' }, SAO_PAULO)[2]).toBe('2023-01-01');
  });

  it.each([
    ['as many days', { date_from: '2026-03-08', date_to: '2026-03-10' }, '2026-03-05T05:00:00.000Z'],
    ['over a clock change', { date_from: '2026-03-09', date_to: '2026-03-10' }, '2026-03-07T05:00:00.000Z'],
    [
      'over a day without a midnight',
      { date_from: '2025-09-07', date_to: '2025-09-30' },
      '2025-08-14T04:00:00.000Z',
      'America/Santiago',
    ],
    [
      'as much time',
      { date_from: '2026-03-08T12:00:00Z', date_to: '2026-03-08T12:59:59.999Z' },
      '2026-03-08T11:00:00.000Z',
    ],
  ])('has a preceding period of equal length: %s', (_what, requested, expected, timezone = NEW_YORK) => {
    const before = previousPeriodStart(parsePeriod(requested, timezone, NOW));
    expect(before.toISOString()).toBe(expected);
  });

  it.each([
    ['day', '2024-02-28', '2024-03-01', ['2024-02-28', '2024-02-29', '2024-03-01']],
    ['week', '2026-01-01', '2026-01-12', ['2025-12-29', '2026-01-05', '2026-01-12']],
    ['month', '2025-12-31', '2026-02-01', ['2025-12-01', '2026-01-01', '2026-02-01']],
  ] as const)('lists the start of every %s once', (interval, date_from, date_to, expected) => {
    expect(intervalStarts(parsePeriod({ date_from, date_to }, SAO_PAULO, NOW), interval)).toEqual(expected);
  });

  it('counts how often the hours of a week have begun in it', () => {
    // Sunday, 10 May, to Tuesday, 19 May; it is Monday, 18 May, half past nine.
    const now = new Date('2026-05-18T12:30:00.000Z');
    const occurrences = countWeekHours(
      parsePeriod({ date_from: '2026-05-10', date_to: '2026-05-19' }, SAO_PAULO, now),
      now,
    );
    const cases = [
      [7, 23, 2],
      [1, 9, 2],
      [1, 10, 1],
      [2, 0, 1],
      [6, 12, 1],
    ] as const;
    expect(cases.map(([weekday, hour]) => occurrences(weekday, hour))).toEqual(
      cases.map(([, , count]) => count),
    );
  });
});
